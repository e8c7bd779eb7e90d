import { runCommand } from './run-command.ts';
import { command, type Stage } from './stage.ts';
import { vitest } from './vitest-stage.ts';

/** Programs with dependencies of their own, which `npm ci` does not fetch: `npm run clients` checks their types. */
const CLIENTS = 'e2e/clients';

/**
 * Lint rules and types in one run: oxlint also reports type errors, using the tsconfig.json of each file. Running `tsc -p` for
 * each folder would check shared files again each time.
 */
const lintAndTypes: Stage = {
  name: 'lint and types',
  run: async () => {
    const lint = (...args: string[]): ReturnType<typeof runCommand> =>
      runCommand(
        'oxlint',
        ['--type-aware', '--deny-warnings', '--report-unused-disable-directives', ...args],
        // A short run does not need garbage collection, which took a third of its time.
        { env: { GOGC: 'off', GOMEMLIMIT: '3GiB' } },
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

export const unitTests: readonly Stage[] = [
  vitest('unit and property tests', 'unit'),
  vitest("the console's parts", 'console'),
];

/** Checks that only read the code. */
export const readingStages: readonly Stage[] = [
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
  command('format', 'oxfmt', ['--check']),
];
