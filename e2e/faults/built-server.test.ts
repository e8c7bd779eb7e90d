import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCommand } from '../../scripts/run-command.ts';
import { type RunningSimulator, startSimulator } from '../../src/simulator/start.ts';
import { makeChannel, makeToken, setUp } from '../support/operator.ts';
import { startTollgate } from '../support/tollgate.ts';

/** A folder into which a release is installed, as `npm install -g` does it: no sources, no packages, no registry. */
let folder: string;
let simulator: RunningSimulator;
const file = (): string => join(folder, 'bin/tollgate');
const installed = (path: string): string => join(folder, 'lib/node_modules/tollgate', path);

const succeeds = async (program: string, args: readonly string[], env: Record<string, string> = {}) => {
  const { code, output } = await runCommand(program, args, { env });
  expect(output, `${program} ${args.join(' ')}`).toSatisfy(() => code === 0);
  return output;
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tollgate-built-'));
  simulator = await startSimulator();
  const tarball = (await succeeds('node', ['scripts/release.ts', folder])).trim().split('\n').at(-1) ?? '';
  await succeeds('npm', ['install', '-g', '--offline', '--prefix', folder, tarball]);
});

afterAll(async () => {
  await simulator.stop();
  await rm(folder, { recursive: true });
});

test('a release signs in, answers small and large calls, is backed up running, restored, and its audit is clean', async () => {
  const dataDir = join(folder, 'data');
  const tollgate = await startTollgate({ file: file(), dataDir });
  expect(await (await fetch(tollgate.url)).text()).toContain('id="site-status"');
  const operator = await setUp(tollgate);
  await makeChannel(operator, { name: 'only', baseUrl: simulator.url, models: ['gpt-4o-mini'] });
  const { key } = await makeToken(operator, { unlimited_quota: true });
  const ask = async (content: string): Promise<unknown> => {
    const response = await fetch(`${tollgate.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'gpt-4o-mini', messages: [{ role: 'user', content }] }),
    });
    return [response.status, await response.json()];
  };
  const answered = [200, expect.objectContaining({ object: 'chat.completion' })];
  expect(await ask('Hello')).toEqual(answered);
  // So long a body is read in another thread.
  expect(await ask('word '.repeat(200_000))).toEqual(answered);
  expect(await operator.call('/api/log/?type=2')).toMatchObject({ total: 2 });

  const backup = join(folder, 'tollgate.backup');
  await succeeds('node', [file(), 'backup', backup], { TOLLGATE_DATA_DIR: dataDir });
  expect(await tollgate.stop()).toBe(0);
  const elsewhere = { TOLLGATE_DATA_DIR: join(folder, 'elsewhere') };
  await succeeds('node', [file(), 'restore', backup], elsewhere);
  expect(await succeeds('node', [file(), 'audit'], elsewhere)).toMatch(/^ok .*\nClean\.\n$/s);
});

test('what goes wrong in the built server is told with the places in our sources', async () => {
  // A damaged installation: nobody has a sentence for it.
  await writeFile(installed('package.json'), '{ "type": "module" }');
  const env = { PORT: '0', TOLLGATE_DATA_DIR: join(folder, 'data') };
  const { code, output } = await runCommand('node', [file()], { env });
  expect(code).toBe(1);
  expect(output).toMatch(/at packageVersion \(.*src\/server\/config\.ts:\d+:\d+\)/);
});
