import type { DialectName } from '../../src/server/core/chat/request.ts';
import { formats } from '../support/one-format.ts';
import type { Problem } from './check.ts';

/** The result of one check of one exchange for one caller. */
export interface Result {
  readonly exchange: { readonly id: string; readonly provider: string; readonly format: string };
  readonly caller: DialectName;
  readonly what: 'answer' | 'request' | 'next turn';
  readonly problem: Problem;
}

/** Prints how many checks passed by provider, format and caller, then every deviation. @returns how many failed */
export const printTable = (results: readonly Result[], print: (line: string) => void): number => {
  const rows = new Map<string, Result[]>();
  for (const result of results) {
    const key = `${result.exchange.provider.padEnd(15)} ${result.exchange.format.padEnd(27)}`;
    rows.set(key, [...(rows.get(key) ?? []), result]);
  }
  print(
    `${'provider'.padEnd(15)} ${'format'.padEnd(27)} ${formats.map((name) => name.padStart(19)).join('')}`,
  );
  for (const [key, group] of [...rows].toSorted(([a], [b]) => a.localeCompare(b)))
    print(`${key} ${tallies(group)}`);
  print(`${'all'.padEnd(43)} ${tallies(results)}`);
  const failed = results.filter(isFailed);
  const excused = results.filter(({ problem }) => typeof problem === 'object');
  const counts = [results.length, failed.length, excused.length].map(String);
  print(`\n${counts[0] ?? ''} checks, ${counts[1] ?? ''} failed, ${counts[2] ?? ''} exceptions.`);
  list('Failed', failed, print);
  list('Exceptions', excused, print);
  return failed.length;
};

/** Prints the formats of recordings that were skipped: calls that the gateway never sends or answers itself. */
export const printOthers = (
  recordings: readonly { readonly endpoint: string }[],
  print: (line: string) => void,
): void => {
  if (recordings.length === 0) return;
  const kinds = Map.groupBy(recordings, ({ endpoint }) => endpoint);
  print(
    `\n${String(recordings.length)} recordings were passed over: no upstream is asked in these formats, or for these.`,
  );
  for (const [endpoint, all] of [...kinds].toSorted(([a], [b]) => a.localeCompare(b)))
    print(`  ${endpoint}: ${String(all.length)}`);
};

/** How many checks passed for each caller's format. */
const tallies = (results: readonly Result[]): string =>
  formats.map((caller) => tally(results.filter((result) => result.caller === caller)).padStart(19)).join('');

const list = (title: string, results: readonly Result[], print: (line: string) => void): void => {
  if (results.length > 0) print(`\n${title}:`);
  for (const { exchange, caller, what, problem } of results) {
    const words = typeof problem === 'object' ? problem.excuse : (problem ?? '');
    print(`  ${exchange.id} → ${caller}, ${what}: ${words}`);
  }
};

const isFailed = ({ problem }: Result): boolean => typeof problem === 'string';

const tally = (results: readonly Result[]): string =>
  `${String(results.filter((result) => !isFailed(result)).length)}/${String(results.length)}`;
