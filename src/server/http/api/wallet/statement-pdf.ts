import { MONEY_DECIMALS_MAX } from '#contract/limits.ts';
import type { Statement } from '#contract/api/wallet/statements.ts';
import { numberText } from '#contract/numbers/number-text.ts';
import { isMessageKey, type Language, type MessageKey, type PhraseValues, say } from '#contract/messages.ts';
import type { IssuedStatement } from '#core/wallet/statement-store.ts';
import { afterOthers } from '#core/time/after-others.ts';
import type { Download } from '../../handler.ts';
import { MARGIN, PdfPages, RIGHT } from './pdf-pages.ts';

/** The reader of the PDF. */
export interface StatementReader {
  readonly language: Language;
  readonly siteName: string;
  /** For statements that do not say how many units were a dollar when they were issued. */
  readonly quotaPerUnit: number;
}

type Used = Omit<Statement['models'][number], 'model'> & { readonly name: string };
type Say = (key: MessageKey, values?: PhraseValues) => string;

/** The right edges of columns, in points. */
const COLUMNS = { calls: 300, input: 375, output: 450, units: RIGHT } as const;
const AMOUNTS = { money: 430, units: RIGHT } as const;
const NAME_WIDTH = 195;
const ITEM_WIDTH = 260;
const HEAD_POINTS = 60;

const whole = (value: number): string => numberText(value, 0);

/**
 * Amounts in dollars, of which each but the last is added to those before: each is what the rounded sum grows by, so that the
 * lines add up to the last one also where a unit has more decimals.
 */
const dollarsInOrder = (amounts: readonly number[], quotaPerUnit: number): readonly string[] => {
  const steps = 10 ** MONEY_DECIMALS_MAX;
  const stepsOf = (units: number): number => Math.round((units / quotaPerUnit) * steps);
  let sum = 0;
  return amounts.map((units, at) => {
    const before = at === amounts.length - 1 ? 0 : sum;
    sum = before + units;
    return numberText((stepsOf(sum) - stepsOf(before)) / steps, 2, MONEY_DECIMALS_MAX);
  });
};

const movementName = (kind: string, words: Say): string => {
  const key = `statement_${kind}`;
  return words(isMessageKey(key) ? key : 'statement_other');
};

/** The lines from opening to closing balance; for a token or tag, its total charges. */
const balanceOf = (statement: Statement, words: Say): readonly (readonly [string, number])[] => {
  const { opening_units: opening, closing_units: closing } = statement;
  const used = words('statement_used');
  const late = words('statement_late');
  if (opening === null || closing === null)
    return [
      [words('statement_before'), statement.charged_before_units],
      [used, statement.charged_units],
      ...(statement.late_units === 0 ? [] : [[late, statement.late_units] as const]),
      [words('statement_after'), statement.charged_after_units],
    ];
  return [
    [words('statement_opening'), opening],
    ...statement.movements.map(
      (one) => [movementName(one.kind, words), one.in_units + one.out_units] as const,
    ),
    [used, -statement.charged_units],
    ...(statement.late_units === 0 ? [] : [[late, -statement.late_units] as const]),
    ...(statement.late_moved_units === 0
      ? []
      : [[words('statement_late_moved'), statement.late_moved_units] as const]),
    [words('statement_closing'), closing],
  ];
};

/** Written in less than a millisecond. */
const LINES_A_TURN = 50;

const writeUsed = async (
  pages: PdfPages,
  title: string,
  of: string,
  lines: readonly Used[],
  words: Say,
): Promise<void> => {
  if (lines.length === 0) return;
  pages.space(14);
  pages.keep(HEAD_POINTS);
  pages.row([{ text: title, x: MARGIN, size: 11, bold: true }], 16);
  pages.row([
    { text: of, x: MARGIN, grey: true },
    { text: words('statement_calls'), x: COLUMNS.calls, atEnd: true, grey: true },
    { text: words('statement_input'), x: COLUMNS.input, atEnd: true, grey: true },
    { text: words('statement_output'), x: COLUMNS.output, atEnd: true, grey: true },
    { text: words('statement_in_units'), x: COLUMNS.units, atEnd: true, grey: true },
  ]);
  pages.rule();
  for (const [at, line] of lines.entries()) {
    if (at % LINES_A_TURN === 0) await afterOthers();
    pages.row([
      { text: line.name, x: MARGIN, width: NAME_WIDTH },
      { text: whole(line.calls), x: COLUMNS.calls, atEnd: true },
      { text: whole(line.prompt_tokens), x: COLUMNS.input, atEnd: true },
      { text: whole(line.completion_tokens), x: COLUMNS.output, atEnd: true },
      { text: whole(line.units), x: COLUMNS.units, atEnd: true },
    ]);
  }
};

const writeBalance = (pages: PdfPages, statement: Statement, quotaPerUnit: number, words: Say): void => {
  pages.row([{ text: words('statement_balance'), x: MARGIN, size: 11, bold: true }], 16);
  pages.row([
    { text: words('statement_item'), x: MARGIN, grey: true },
    { text: words('statement_amount'), x: AMOUNTS.money, atEnd: true, grey: true },
    { text: words('statement_in_units'), x: AMOUNTS.units, atEnd: true, grey: true },
  ]);
  pages.rule();
  const lines = balanceOf(statement, words);
  const dollars = dollarsInOrder(
    lines.map(([, units]) => units),
    quotaPerUnit,
  );
  for (const [at, [name, units]] of lines.entries()) {
    const bold = at === lines.length - 1;
    if (bold) pages.rule();
    pages.row([
      { text: name, x: MARGIN, width: ITEM_WIDTH, bold },
      { text: dollars[at] ?? '', x: AMOUNTS.money, atEnd: true, bold },
      { text: whole(units), x: AMOUNTS.units, atEnd: true, bold },
    ]);
  }
};

const ownerLine = ({ user_id: id, token_id: token, tag, name }: Statement, words: Say): string => {
  if (tag !== undefined) return words('statement_tag', { name, user: id });
  if (token !== 0) return words('statement_token', { name, id: token, user: id });
  return words('statement_account', { name, id });
};

/** Lets others work in between: a long statement has thousands of lines. */
async function* written(
  { statement, sha256 }: IssuedStatement,
  reader: StatementReader,
): AsyncGenerator<string, void> {
  const words: Say = (key, values) => say(key, reader.language, values);
  const title = words('statement_title', { month: statement.month });
  const pages = new PdfPages(`${reader.siteName} ${title}`);
  const time = new Date(statement.issued_at * 1000).toISOString().slice(0, 16).replace('T', ' ');
  const quotaPerUnit = statement.units_per_dollar ?? reader.quotaPerUnit;
  const line = (text: string, style: { readonly grey?: boolean } = {}): void =>
    pages.row([{ text, x: MARGIN, width: RIGHT - MARGIN, ...style }]);
  pages.row([{ text: title, x: MARGIN, size: 18, bold: true }], 22);
  line(reader.siteName);
  pages.space(6);
  line(ownerLine(statement, words));
  line(words('statement_when', { time }), { grey: true });
  line(words('statement_units', { units: whole(quotaPerUnit) }), { grey: true });
  pages.space(12);
  writeBalance(pages, statement, quotaPerUnit, words);
  const unknown = words('statement_unknown_model');
  const ofModel = (lines: Statement['models']): Used[] =>
    lines.map((one) => ({ ...one, name: one.model || unknown }));
  const model = words('statement_model');
  await writeUsed(pages, words('statement_by_model'), model, ofModel(statement.models), words);
  await writeUsed(pages, words('statement_late'), model, ofModel(statement.late), words);
  if (statement.token_id === 0)
    await writeUsed(
      pages,
      words('statement_by_token'),
      words('statement_of_token'),
      statement.tokens.map((one) => ({
        ...one,
        name: one.name || (one.token_id === 0 ? words('statement_no_token') : `#${one.token_id}`),
      })),
      words,
    );
  yield* pages.pieces(`${words('statement_hash')} ${sha256}`);
}

/** A statement as a PDF in the reader's language, with the content of the stored statement. */
export const statementPaper = (issued: IssuedStatement, reader: StatementReader): Download => ({
  fileName: `statement-${issued.statement.month}.pdf`,
  contentType: 'application/pdf',
  rows: 0,
  pieces: () => written(issued, reader),
});
