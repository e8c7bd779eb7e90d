import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot, runCommand } from './run-command.ts';
import { command, runStages, type Stage } from './stage.ts';
import { vitest } from './vitest-stage.ts';

/** Tests the gateway with real client programs. They are large, so they are installed only by this command. */
const folder = join(projectRoot, 'e2e/clients');

const install: Stage = {
  name: 'install the client programs',
  run: async () => {
    // npm writes this file last, so an interrupted install starts again.
    if (existsSync(join(folder, 'node_modules/.package-lock.json')))
      return { passed: 1, failed: 0, skipped: 0 };
    const { code, output } = await runCommand('npm', ['ci', '--ignore-scripts', '--prefix', folder]);
    return code === 0 ? { passed: 1, failed: 0, skipped: 0 } : { passed: 0, failed: 1, skipped: 0, output };
  },
};

// In this order, because type checks and tests need the installed programs.
process.exitCode =
  (await runStages([install])) ||
  (await runStages([
    command('types of the clients', 'tsc', ['-p', 'e2e/clients']),
    vitest('client programs', 'clients'),
  ]));
