import { command, vitest, type Stage } from './stage.ts';
import { runCommand } from './run-command.ts';

/** Programs with dependencies of their own, which `npm ci` does not fetch: `npm run clients` checks their types. */
const CLIENTS = 'e2e/clients';

/**
 * Rules and types in one reading: oxlint reports what TypeScript finds in each file under the tsconfig.json that the file
 * belongs to. A program of their own per folder, as `tsc -p` makes it, would check shared files again for each.
 */
const lintAndTypes: Stage = {
  name: 'lint and types',
  run: async () => {
    const lint = (...args: string[]): ReturnType<typeof runCommand> =>
      runCommand(
        'oxlint',
        ['--type-aware', '--deny-warnings', '--report-unused-disable-directives', ...args],
        // Go collects its garbage less often: a quarter of the time, for some 100 MB more.
        { env: { GOGC: '400' } },
      );
    const runs = [await lint('--type-check', '--ignore-pattern', CLIENTS), await lint(CLIENTS)];
    const failed = runs.filter(({ code }) => code !== 0);
    return {
      passed: runs.length - failed.length,
      failed: failed.length,
      skipped: 0,
      output: failed.map(({ output }) => output).join('\n'),
    };
  },
};

/** What needs no browser and no server: the whole of `npm run check`, the first part of `npm test`. */
export const checkStages: readonly Stage[] = [
  command('format', 'oxfmt', ['--check']),
  lintAndTypes,
  command('import arrows', 'depcruise', [
    '--config',
    '.dependency-cruiser.cjs',
    'src',
    'scripts',
    'e2e',
    'bench',
  ]),
  command('unused code', 'knip', []),
  vitest('unit and property tests', 'unit'),
];
