import { readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { CANNOT_RUN_HERE } from '../e2e/support/cannot-run-here.ts';
import { runCommand, type RunOptions } from './run-command.ts';

export interface Tally {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** Shown when something failed. */
  readonly output?: string;
  /** Shown always: why something was skipped. */
  readonly note?: string;
}

/** One named part of `npm run check` or `npm test`. */
export interface Stage {
  readonly name: string;
  run(): Promise<Tally>;
}

export interface CommandOptions extends RunOptions {
  /** Shows the first and last lines of what it printed although it passed: a seed, a summary. */
  readonly isTelling?: true;
}

/** A program that passes with exit code 0: counts as one. */
export const command = (
  name: string,
  program: string,
  args: readonly string[],
  options: CommandOptions = {},
): Stage => ({
  name,
  run: async () => {
    const { code, output } = await runCommand(program, args, options);
    if (code === CANNOT_RUN_HERE) return skipped(output.trim());
    if (code !== 0) return { passed: 0, failed: 1, skipped: 0, output };
    const lines = output.trim().split('\n');
    const told = [lines[0] ?? '', ...lines.slice(-2)].join('\n      ');
    return { passed: 1, failed: 0, skipped: 0, ...(options.isTelling === true && { note: told }) };
  },
});

export const skipped = (reason: string): Tally => ({ passed: 0, failed: 0, skipped: 1, note: reason });

const vitestReport = z.object({
  success: z.boolean(),
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  numPendingTests: z.number(),
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      message: z.string().optional(),
      assertionResults: z.array(
        z.object({
          status: z.string(),
          fullName: z.string(),
          ancestorTitles: z.array(z.string()),
          failureMessages: z.array(z.string()).nullish(),
        }),
      ),
    }),
  ),
});

/** What failed and why, each test by its name; the whole output only where the report does not know. */
const failuresOf = (report: z.infer<typeof vitestReport>, output: string): string => {
  const lines = report.testResults
    .filter(({ status }) => status !== 'passed')
    .flatMap(({ name, message, assertionResults }) => [
      `${name}${message === undefined || message === '' ? '' : `\n${message}`}`,
      ...assertionResults
        .filter(({ status }) => status === 'failed')
        .map(({ fullName, failureMessages }) => `× ${fullName}\n${(failureMessages ?? []).join('\n')}`),
    ]);
  return lines.length === 0 ? output : lines.join('\n');
};

/** What was skipped, by its outermost name, which says what it needs. */
const skippedOf = (report: z.infer<typeof vitestReport>): readonly string[] => {
  const counts = new Map<string, number>();
  for (const { ancestorTitles, fullName, status } of report.testResults.flatMap(
    ({ assertionResults }) => assertionResults,
  )) {
    if (status === 'passed' || status === 'failed') continue;
    const name = ancestorTitles[0] ?? fullName;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts].map(([name, count]) => `${count} skipped: ${name}`);
};

/** The tests of one project of vitest.config.ts: counts each test. A run that leaves no report has failed. */
export const vitest = (name: string, project: string, options?: RunOptions): Stage => ({
  name,
  run: async () => {
    const report = join(tmpdir(), `tollgate-${project}-${process.pid}.json`);
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
    const { code, output } = await runCommand('vitest', ['run', '--project', project, ...reporters], options);
    const read = await readFile(report, 'utf8').then(
      (text) => vitestReport.parse(JSON.parse(text)),
      () => undefined,
    );
    await rm(report, { force: true });
    if (read === undefined) {
      return { passed: 0, failed: 1, skipped: 0, output };
    }
    const ok = code === 0 && read.success;
    const failed = ok ? 0 : Math.max(1, read.numFailedTests);
    const { numPassedTests: passed, numPendingTests: skippedTests } = read;
    const note = skippedOf(read).join('\n      ');
    return {
      passed,
      failed,
      skipped: skippedTests,
      ...(!ok && { output: failuresOf(read, output) }),
      ...(note !== '' && { note }),
    };
  },
});

const finished = async (stage: Stage): Promise<Tally> => {
  const startedMs = performance.now();
  const tally = await stage
    .run()
    .catch((error: unknown): Tally => ({ passed: 0, failed: 1, skipped: 0, output: String(error) }));
  console.log(`${verdict(tally).padEnd(5)} ${stage.name.padEnd(34)} ${seconds(startedMs)}  ${counts(tally)}`);
  if (tally.note !== undefined) console.log(`      ${tally.note}`);
  if (tally.failed > 0 && tally.output !== undefined) console.log(indented(tally.output));
  return tally;
};

/** Several workers take the next stage until there is none. */
const finishAll = async (stages: readonly Stage[], atOnce: number): Promise<Map<Stage, Tally>> => {
  const tallies = new Map<Stage, Tally>();
  const left = [...stages];
  const work = async (): Promise<void> => {
    for (let stage = left.shift(); stage !== undefined; stage = left.shift())
      tallies.set(stage, await finished(stage));
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return tallies;
};

/**
 * Runs stages three at a time, since most of them wait, for a compiler of one thread, a server, a browser or a clock.
 * Prints each with its time and result, and ends with the plain closing line.
 */
export const runStages = async (stages: readonly Stage[]): Promise<number> => {
  const startedMs = performance.now();
  const tallies = await finishAll(stages, 3);
  const sum = (of: (tally: Tally) => number): number =>
    [...tallies.values()].reduce((total, tally) => total + of(tally), 0);
  const failed = sum((tally) => tally.failed);
  const failures = [...tallies].filter(([, tally]) => tally.failed > 0).map(([stage]) => stage.name);
  console.log(`\n${tallies.size} stages in ${seconds(startedMs).trim()}`);
  if (failures.length > 0) console.log(`failed: ${failures.join(', ')}`);
  console.log(
    `${sum((tally) => tally.passed)} passed, ${failed} failed, ${sum((tally) => tally.skipped)} skipped`,
  );
  return failed === 0 ? 0 : 1;
};

const verdict = (tally: Tally): string => (tally.failed > 0 ? 'FAIL' : tally.passed > 0 ? 'ok' : 'skip');

const counts = (tally: Tally): string =>
  tally.passed + tally.failed + tally.skipped === 1
    ? ''
    : `${tally.passed} passed, ${tally.failed} failed, ${tally.skipped} skipped`;

const seconds = (sinceMs: number): string =>
  `${((performance.now() - sinceMs) / 1000).toFixed(1)} s`.padStart(8);

const MAX_LINES = 200;

/** The end of what a failed stage printed. */
const indented = (output: string): string =>
  output
    .trimEnd()
    .split('\n')
    .slice(-MAX_LINES)
    .map((line) => `      ${line}`)
    .join('\n');
