import { readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { z } from 'zod';
import { projectRoot, runCommand, type RunOptions } from './run-command.ts';
import type { Stage, Tally } from './stage.ts';

const vitestReport = z.object({
  success: z.boolean(),
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  numPendingTests: z.number(),
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      assertionResults: z.array(
        z.object({
          status: z.string(),
          fullName: z.string(),
          ancestorTitles: z.array(z.string()),
        }),
      ),
    }),
  ),
});

type VitestReport = z.infer<typeof vitestReport>;

export interface VitestOptions extends RunOptions {
  /**
   * Up to two failed files run once more, alone. If they pass then, they count as passed and are printed as unsteady with
   * their first failure, so that the cause can be found. Only for parts that drive browsers and processes in real time.
   */
  readonly repeatsUnsteady?: true;
}

/** The tests of one project of vitest.config.ts, each counted. A run without a report has failed. */
export const vitest = (name: string, project: string, options: VitestOptions = {}): Stage => ({
  name,
  run: async () => {
    const first = await runProject(project, [], options);
    const failed = first.report === undefined ? [] : failedFiles(first.report);
    if (options.repeatsUnsteady !== true || failed.length === 0 || failed.length > MAX_UNSTEADY_FILES)
      return first.tally;
    const second = await runProject(project, failed, options);
    return second.tally.failed > 0 ? first.tally : unsteady(first.tally);
  },
});

const MAX_UNSTEADY_FILES = 2;

const unsteady = ({ passed, failed, skipped, output = '', note }: Tally): Tally => ({
  passed: passed + failed,
  failed: 0,
  skipped,
  note: [`UNSTEADY: ${failed} failed once and passed when repeated`, ...output.split('\n'), note ?? '']
    .join('\n      ')
    .trimEnd(),
});

interface Ran {
  readonly tally: Tally;
  readonly report?: VitestReport;
}

const runProject = async (project: string, files: readonly string[], options: RunOptions): Promise<Ran> => {
  const path = join(tmpdir(), `tollgate-${project}-${process.pid}.json`);
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${path}`];
  const args = ['run', '--project', project, ...reporters, ...files];
  const { code, output } = await runCommand('vitest', args, options);
  const report = await readFile(path, 'utf8').then(
    (text) => vitestReport.parse(JSON.parse(text)),
    () => undefined,
  );
  await rm(path, { force: true });
  if (report === undefined) return { tally: { passed: 0, failed: 1, skipped: 0, output } };
  const ok = code === 0 && report.success;
  const note = skippedOf(report).join('\n      ');
  return {
    report,
    tally: {
      passed: report.numPassedTests,
      failed: ok ? 0 : Math.max(1, report.numFailedTests),
      skipped: report.numPendingTests,
      ...(!ok && { output: failuresIn(output) }),
      ...(note !== '' && { note }),
    },
  };
};

const failedFiles = (report: VitestReport): readonly string[] =>
  report.testResults
    .filter(({ status }) => status !== 'passed')
    .map(({ name }) => relative(projectRoot, name));

/** What vitest says of the failed tests, with the differences, which its report lacks; else its whole output. */
const failuresIn = (output: string): string => {
  const plain = stripVTControlCharacters(output);
  return plain.slice(Math.max(0, plain.search(/^⎯+ Failed (Suites|Tests) \d+ ⎯+$/m)));
};

/** The skipped suites by name; the name says what they need. */
const skippedOf = (report: VitestReport): readonly string[] => {
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
