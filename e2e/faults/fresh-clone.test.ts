import { chmod, cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { projectRoot, runCommand } from '../../scripts/run-command.ts';

/**
 * A clone in which nothing is installed yet: the scripts, and instead of the programs they start some that write down when
 * they run. `npm` takes a moment, as installing does.
 */
const freshClone = async (install: string): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'tollgate-clone-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  for (const part of ['scripts', 'e2e/support/cannot-run-here.ts'])
    await cp(join(projectRoot, part), join(folder, part), { recursive: true });
  const programs = join(folder, 'node_modules/.bin');
  await mkdir(programs, { recursive: true });
  await symlink(join(projectRoot, 'node_modules/zod'), join(folder, 'node_modules/zod'));
  const texts = {
    npm: `echo 'npm begins' >> ran\nsleep 0.3\n${install}\necho 'npm ends' >> ran`,
    tsc: 'echo tsc >> ran',
    vitest: 'echo vitest >> ran',
  };
  for (const [name, text] of Object.entries(texts)) {
    await writeFile(join(programs, name), `#!/bin/sh\n${text}\n`);
    await chmod(join(programs, name), 0o755);
  }
  return folder;
};

const ranIn = async (folder: string): Promise<string[]> => {
  await runCommand('node', [join(folder, 'scripts/clients.ts')]);
  return (await readFile(join(folder, 'ran'), 'utf8')).trim().split('\n');
};

test('the client programs are installed before any test that needs them', async () => {
  const installs = 'mkdir -p e2e/clients/node_modules && touch e2e/clients/node_modules/.package-lock.json';
  const folder = await freshClone(installs);
  const [first, second, ...later] = await ranIn(folder);
  expect([first, second, later.toSorted()]).toEqual(['npm begins', 'npm ends', ['tsc', 'vitest']]);
  // Packages that are already there are not installed again.
  expect((await ranIn(folder)).slice(4).toSorted()).toEqual(['tsc', 'vitest']);
});

test('if they cannot be installed, no test begins', async () => {
  expect(await ranIn(await freshClone('exit 1'))).toEqual(['npm begins']);
});
