import { CANNOT_RUN_HERE } from '../e2e/support/cannot-run-here.ts';
import { runCommand, type RunOptions } from './run-command.ts';

export interface Tally {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** Shown if something failed. */
  readonly output?: string;
  /** Always shown: why something was skipped. */
  readonly note?: string;
}

/** One named part of `npm run check` or `npm test`. */
export interface Stage {
  readonly name: string;
  run(): Promise<Tally>;
}

export interface CommandOptions extends RunOptions {
  /** Shows the first and last lines of its output even if it passed: a seed, a summary. */
  readonly isTelling?: true;
}

/** A program that passes with exit code 0; counts as one check. */
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

/** Several workers each take the next stage until none is left. */
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
 * Runs stages three at a time, because most of them wait for a single-threaded compiler, a server, a browser or a clock.
 * Prints the time and result of each, and a summary line at the end.
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

/** The end of a failed stage's output. */
const indented = (output: string): string =>
  output
    .trimEnd()
    .split('\n')
    .slice(-MAX_LINES)
    .map((line) => `      ${line}`)
    .join('\n');
