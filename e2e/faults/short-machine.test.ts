import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { balanceOf, makeChannel, makeToken, type Operator, setOption, setUp } from '../support/operator.ts';
import { chatAnswer } from '../support/upstreams/scripted-formats.ts';
import { startTollgate, type Tollgate } from '../support/tollgate.ts';
import { startStepwiseUpstream } from './stepwise-upstream.ts';

/** A machine that lacks a resource for a while: the system takes it from the running server, and gives it back. */

const WORDS = 'What was said is paid for once there is room to write it down.';
/** Of a call at a ratio of 1: its answers tell 20 tokens in and 10 out. */
const UNITS = 30;

let upstream: Awaited<ReturnType<typeof startStepwiseUpstream>>;
let dataDir: string;
let tollgate: Tollgate;
let operator: Operator;
let key: string;

beforeAll(async () => {
  upstream = await startStepwiseUpstream();
  dataDir = await mkdtemp(join(tmpdir(), 'tollgate-full-'));
  tollgate = await startTollgate({ dataDir });
  operator = await setUp(tollgate);
  await setOption(operator, 'ModelRatio', { m: 1 });
  await makeChannel(operator, { name: 'c', baseUrl: upstream.addressOf('openai-chat'), models: ['m'] });
  ({ key } = await makeToken(operator));
});
afterAll(async () => {
  await tollgate.stop();
  await upstream.stop();
  await rm(dataDir, { recursive: true, force: true });
});

const limit = (what: string): number | null =>
  spawnSync('prlimit', [`--pid=${String(tollgate.program.pid)}`, what]).status;
/** No file grows beyond its first byte. */
const fillDisk = (): number | null => limit('--fsize=1:unlimited');
const emptyDisk = (): number | null => limit('--fsize=unlimited:unlimited');
/** Open files stay open, and no further ones can be opened. */
const openNoFiles = (): number | null => limit('--nofile=1:4096');
const openFiles = (): number | null => limit('--nofile=4096:4096');

const ask = (body: Readonly<Record<string, unknown>>): Promise<Response> =>
  fetch(`${tollgate.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'hi' }], ...body }),
  });

const isReady = async (): Promise<number> => (await fetch(`${tollgate.url}/readyz`)).status;

/** Runs on the server's data. */
const command = (file: string, ...words: readonly string[]) =>
  spawnSync(file, words, { env: { ...process.env, TOLLGATE_DATA_DIR: dataDir }, encoding: 'utf8' });

const canLimit = spawnSync('prlimit', ['--version']).status === 0;

test.skipIf(!canLimit)(
  'a full disk: no call is sent, an answer under way ends once it is charged, and the log and /readyz say so',
  async () => {
    const answer = chatAnswer({ text: WORDS });
    upstream.say({ pieces: [answer.events()] });
    expect(await (await ask({ stream: true })).text()).toContain('[DONE]');
    await expect.poll(async () => (await balanceOf(operator)).used).toBe(UNITS);

    const events = answer.events();
    const middle = events.indexOf('room');
    upstream.say({ pieces: [events.slice(0, middle), events.slice(middle)] });
    let seen = '';
    const limited: unknown[] = [];
    const underWay = upstream.read(await ask({ stream: true }), (text) => {
      if (seen === '') limited.push(fillDisk());
      seen = text;
    });
    await expect.poll(() => tollgate.program.output()).toContain('a hold could not be closed yet');
    expect(tollgate.program.output()).toMatch(/could not be closed yet.*(?:disk I\/O error|disk is full)/);
    expect(limited).toEqual([0]);
    expect(seen).not.toContain('[DONE]');

    expect(await isReady()).toBe(503);
    const asked = upstream.asked.length;
    const refused = await ask({});
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '2']);
    expect(await refused.json()).toMatchObject({ error: { type: 'server_error', code: 'unavailable' } });
    expect(upstream.asked).toHaveLength(asked);

    expect(emptyDisk()).toBe(0);
    expect(await isReady()).toBe(200);
    expect(await underWay).toContain('[DONE]');
    upstream.say(answer.whole);
    expect((await ask({})).status).toBe(200);
    await expect.poll(async () => await balanceOf(operator)).toMatchObject({ used: 3 * UNITS, calls: 3 });
    const audit = command('node', 'src/server/main.ts', 'audit');
    expect([audit.status, audit.stdout.trimEnd().split('\n').at(-1)]).toEqual([0, 'Clean.']);
  },
);

test.skipIf(!canLimit)('a backup or master key that finds no room says so, and leaves no half of it', () => {
  const before = readdirSync(dataDir);
  const file = join(dataDir, 'a.backup');
  const backup = command('prlimit', '--fsize=1024', 'node', 'src/server/main.ts', 'backup', file);
  expect([backup.status, backup.stderr]).toEqual([2, expect.stringContaining('cannot be written: EFBIG')]);
  const key = command('prlimit', '--fsize=20', 'node', 'src/server/main.ts', 'change-master-key');
  expect([key.status, key.stderr]).toEqual([2, expect.stringMatching(/key cannot be written .*: EFBIG/)]);
  expect(readdirSync(dataDir)).toEqual(before);
});

test.skipIf(!canLimit)(
  'without free file handles calls are refused as our own failure, and no channel is blamed',
  async () => {
    upstream.say(chatAnswer({ text: WORDS }).whole);
    const second = await startStepwiseUpstream();
    try {
      second.say(chatAnswer({ text: WORDS }).whole);
      const baseUrl = second.addressOf('openai-chat');
      await makeChannel(operator, { name: 'never connected', baseUrl, models: ['m2'] });
      await setOption(operator, 'ModelRatio', { m: 1, m2: 1 });
      // Leaves this caller a connection that is open.
      expect((await ask({})).status).toBe(200);
      expect(openNoFiles()).toBe(0);
      for (let turn = 0; turn < 8; turn += 1) {
        const refused = await ask({ model: 'm2' });
        expect([refused.status, await refused.json()]).toEqual([
          503,
          { error: expect.objectContaining({ type: 'server_error', code: 'unavailable' }) },
        ]);
      }
      expect(openFiles()).toBe(0);
      expect(tollgate.program.output()).toMatch(/an attempt failed unexpectedly.*EMFILE/);
      expect((await ask({ model: 'm2' })).status).toBe(200);
      expect(second.asked).toHaveLength(1);
    } finally {
      await second.stop();
    }
  },
);

// The last one: nothing that is printed afterwards is seen.
test('whoever read the log has ended: calls go on, and the server still stops in order', async () => {
  tollgate.program.stopReading();
  upstream.say(chatAnswer({ text: WORDS }).whole);
  for (let turn = 0; turn < 2; turn += 1) {
    // Logged, because no proxy is trusted here.
    const headers = { 'x-forwarded-for': '192.0.2.1' };
    expect((await fetch(`${tollgate.url}/api/status`, { headers })).status).toBe(200);
    expect((await ask({})).status).toBe(200);
  }
  expect(await tollgate.program.end('SIGTERM')).toBe(0);
});
