import { command, vitest, type Stage } from './stage.ts';
import { runCommand } from './run-command.ts';

/** Everything with a tsconfig.json of its own. */
const typedFolders = [
  'src/contract',
  'src/server',
  'src/simulator',
  'src/console',
  'scripts',
  'bench',
  'e2e',
];

const types: Stage = {
  name: 'types',
  run: async () => {
    const outputs: string[] = [];
    const left = [...typedFolders];
    const checkNext = async (): Promise<void> => {
      const folder = left.shift();
      if (folder === undefined) return;
      const remembered = `node_modules/.cache/tsc/${folder.replaceAll('/', '-')}.tsbuildinfo`;
      const args = ['-p', folder, '--incremental', '--tsBuildInfoFile', remembered];
      const { code, output } = await runCommand('tsc', args);
      if (code !== 0) outputs.push(`${folder}\n${output}`);
      return checkNext();
    };
    await Promise.all([checkNext(), checkNext()]);
    const failed = outputs.length;
    return { passed: typedFolders.length - failed, failed, skipped: 0, output: outputs.join('\n') };
  },
};

/** What needs no browser and no server: the whole of `npm run check`, the first part of `npm test`. */
export const checkStages: readonly Stage[] = [
  command('format', 'oxfmt', ['--check']),
  command('lint', 'oxlint', ['--type-aware', '--deny-warnings', '--report-unused-disable-directives']),
  types,
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
