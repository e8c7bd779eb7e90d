import { SEALS_PATH } from '#contract/limits.ts';
import { SEALS_KEPT_MS } from '#contract/seals-kept.ts';
import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import { AppError } from '#core/error.ts';
import { errorWords } from '#core/error-words.ts';
import { type Published, publishedShape } from '#core/seal/lines.ts';
import { checkPublished } from '#core/seal/published-seals.ts';
import { StatementCheck, type StatementReport, type Verdict } from '#core/seal/statement-check.ts';
import { type CheckedMonth, statementsInOrder, unprovenLate } from '#core/seal/statements-in-order.ts';
import { sealCrypto } from './seal-crypto.ts';

/** The most of one page of seals: 500 of half a kilobyte each. */
const PAGE_MAX_BYTES = 16 * 1024 * 1024;
const MOST_PAGES = 1000;
const WAIT_MS = 30_000;
/** The most of one line; the longest is the statement itself. */
const LINE_MAX_LENGTH = 16 * 1024 * 1024;
const MAX_FILE_BYTES = 256 * 1024 * 1024;

export interface VerifyWish {
  readonly file: string;
  /** The address of the site, or a file with the seals it publishes. */
  readonly roots: string;
  /** The id of a trusted key. */
  readonly key?: string | undefined;
}

const unusable = (sentence: string, cause?: unknown): AppError =>
  new AppError('unavailable', sentence, { cause });

const unreadable = (what: string, cause: unknown): AppError =>
  unusable(`${what} cannot be read: ${errorWords(cause)}`, cause);

const parsedPage = (text: string, from: string): Published => {
  try {
    return publishedShape.parse(JSON.parse(text));
  } catch (cause) {
    throw unusable(`${from} does not have the seals of a Tollgate`, cause);
  }
};

const fetchedPage = async (address: URL, page: number): Promise<Published> => {
  const url = new URL(address);
  url.searchParams.set('page', String(page));
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(WAIT_MS) });
    if (!response.ok) throw new Error(`status ${response.status}`);
    const pieces: Uint8Array[] = [];
    let bytes = 0;
    for await (const piece of response.body ?? []) {
      bytes += piece.length;
      if (bytes > PAGE_MAX_BYTES) throw new Error('too long');
      pieces.push(piece);
    }
    return parsedPage(Buffer.concat(pieces).toString(), url.href);
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    throw unreadable(url.href, cause);
  }
};

const readText = async (file: string): Promise<string> => {
  try {
    if ((await stat(file)).size > MAX_FILE_BYTES) throw new Error('it is too large');
    return await readFile(file, 'utf8');
  } catch (cause) {
    throw unreadable(file, cause);
  }
};

/**
 * The lines of a file of any size, also as editors save it: with a mark of its encoding, and other line ends. Throws for a line
 * that is too long, so that nothing large stays in memory.
 */
async function* linesIn(file: string): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const piece of createReadStream(file) as AsyncIterable<Buffer>) {
    const lines = (rest + decoder.decode(piece, { stream: true })).split(/\r?\n/);
    rest = lines.pop() ?? '';
    if (rest.length > LINE_MAX_LENGTH) throw new Error('it has a line that is too long');
    yield* lines;
  }
  if (rest !== '') yield rest;
}

const isAddress = (roots: string): boolean => /^https?:\/\//.test(roots);

/** All published seals: from the site, page by page, or from a file that holds one or more pages. */
const readPublished = async (roots: string): Promise<Pick<Published, 'keys' | 'seals'>> => {
  const pages: Published[] = [];
  if (isAddress(roots)) {
    const address = new URL(roots);
    if (address.pathname === '/') address.pathname = SEALS_PATH;
    for (let page: number | null = 0; page !== null && pages.length < MOST_PAGES;) {
      const found: Published = await fetchedPage(address, page);
      // A page without new seals would make this endless.
      if (found.next_page !== null && found.next_page !== page + 1)
        throw unusable(`${address.href} says that page ${found.next_page} follows page ${page}`);
      pages.push(found);
      page = found.next_page;
    }
  } else
    for (const line of (await readText(roots)).trim().split(/\n(?=\{)/)) pages.push(parsedPage(line, roots));
  return { keys: pages.at(-1)?.keys ?? [], seals: pages.flatMap(({ seals }) => seals) };
};

const checkOnce = async ({ file, roots, key }: VerifyWish) => {
  const published = checkPublished(sealCrypto, await readPublished(roots), key);
  const check = new StatementCheck(sealCrypto, published);
  try {
    for await (const line of linesIn(file)) check.line(line);
  } catch (cause) {
    throw unreadable(file, cause);
  }
  return { published, report: check.report() };
};

/**
 * Checks a downloaded statement with proofs against what is published, without the operator's database. Throws
 * `unavailable` with a sentence if something cannot be read.
 */
export const verifyStatement = async (
  wish: VerifyWish,
  wait: (ms: number) => Promise<unknown> = setTimeout,
): Promise<StatementReport> => {
  let checked = await checkOnce(wish);
  // A node may not show yet what another one has sealed a moment ago.
  if (checked.report.verdict === 'newer' && isAddress(wish.roots)) {
    await wait(SEALS_KEPT_MS);
    checked = await checkOnce(wish);
  }
  const report = asIsKnown(checked.report, wish.roots);
  const [first] = checked.published.keys.keys();
  if (wish.key !== undefined || first === undefined) return report;
  const note = `the first key of these seals is ${first}: where you know another, all of them were made anew (--key checks it)`;
  return { ...report, notes: [...report.notes, note] };
};

/** A site shows all its seals. What is not among them is no seal, where a file may only be too old. */
const asIsKnown = (report: StatementReport, roots: string): StatementReport =>
  report.verdict === 'newer' && isAddress(roots) ? { ...report, verdict: 'wrong' } : report;

const EXIT: Readonly<Record<Verdict, number>> = { proven: 0, wrong: 1, newer: 2, partly: 3 };
const CONCLUSION: Readonly<Record<Verdict, string>> = {
  proven:
    'PROVEN    every receipt is under a published seal, none is missing, and they come to what is charged',
  partly: 'PARTLY    what is there is right, but rows were deleted: only the sums of their days are proven',
  newer:
    'UNKNOWN   the file of seals ends before those of this statement, or is of another site: save it from the site',
  wrong: 'WRONG     this statement does not hold',
};

/**
 * The results as text, and whether the statements follow each other without a gap.
 * @returns the exit code: 0 proven, 1 wrong, 2 the seals are too old, 3 proven by sums only in part
 */
export const printReports = (reports: readonly StatementReport[], print: (text: string) => void): number => {
  const codes = reports.map((report) => printReport(report, print));
  const statements = reports.flatMap(({ statement }) => statement ?? []);
  const code = [EXIT.wrong, EXIT.newer].find((worse) => codes.includes(worse)) ?? Math.max(...codes);
  if (reports.length === 1) {
    const [one] = statements;
    if (one !== undefined && one.charged_before_units + (one.opening_units ?? 0) > 0)
      print('Whether it begins where the month before ended is checked where that statement is given too.\n');
    return code;
  }
  const { problems, notes } = statementsInOrder(statements);
  const unproven = problems.length > 0 ? [] : unprovenLate(reports.flatMap(monthOfReport));
  for (const note of [...notes, ...unproven]) print(`  note      ${note}\n`);
  for (const problem of problems) print(`  wrong     ${problem}\n`);
  if (problems.length === 0 && notes.length === 0 && code !== EXIT.wrong && code !== EXIT.newer)
    print('IN ORDER  each statement begins where the one before ended\n');
  if (unproven.length > 0)
    print('PARTLY    save the months before again: what they do not have then, was never used\n');
  if (problems.length > 0) return EXIT.wrong;
  return code === EXIT.proven && unproven.length > 0 ? EXIT.partly : code;
};

const monthOfReport = ({ statement, late }: StatementReport): CheckedMonth[] =>
  statement === undefined ? [] : [{ statement, late }];

const printReport = (report: StatementReport, print: (text: string) => void): number => {
  const { statement, calls, movements } = report;
  if (statement !== undefined) {
    print(`Statement of ${statement.name} (account ${statement.user_id}) for ${statement.month}\n`);
    print(`  charged   ${statement.charged_units} units for ${calls} calls and ${movements} movements\n`);
    if (statement.opening_units !== null)
      print(
        `  balance   ${statement.opening_units} units at its begin, ${statement.closing_units} at its end\n`,
      );
  }
  for (const note of report.notes) print(`  note      ${note}\n`);
  const kind = report.verdict === 'newer' ? 'unknown  ' : 'wrong    ';
  for (const problem of report.problems) print(`  ${kind} ${problem}\n`);
  print(`${CONCLUSION[report.verdict]}\n`);
  return EXIT[report.verdict];
};
