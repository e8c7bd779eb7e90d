import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { callLog } from '../../../store/testing/accounts.ts';
import type { Caller } from '../../testing/caller.ts';
import { openScene, type Scene, type Spender } from '../../testing/scene.ts';

/** Logs as a file. */

const ROWS = 1203;
const START_MS = Date.UTC(2026, 0, 1);
let scene: Scene;
let alice: Spender;
let asAlice: Caller;

beforeAll(async () => {
  scene = await openScene();
  alice = await scene.spender('alice', 1000);
  const bob = await scene.spender('bob', 1000);
  asAlice = scene.stage.caller(await scene.stage.session(alice.user));
  const { database } = scene.server.parts.stores;
  const logOf = (at: number) =>
    callLog({
      requestId: `call-${at}`,
      // Many to the same millisecond, more than a page holds of one day.
      createdAtMs: START_MS + Math.floor(at / 700) * 1000,
      userId: at % 400 === 399 ? bob.user.id : alice.user.id,
      username: 'alice',
      tokenId: 7,
      tokenName: at === 0 ? '=HYPERLINK("http://evil")' : 'a, "token"',
      channelId: 3,
      quotaUnits: 500,
      ip: '192.0.2.7',
      other: JSON.stringify({ admin_info: { secret: 'hidden' } }),
      ...(at % 2 === 0 && { costNano: 123_456_789 }),
    });
  await database.runLedger(Array.from({ length: ROWS }, (_, at) => ({ op: 'note', log: logOf(at) })));
});
afterAll(() => scene.close());

const linesOf = (text: string): string[] => text.split('\r\n').slice(0, -1);
const idsOf = (lines: readonly string[]): number[] =>
  lines.slice(1).map((line) => Number(/call-(\d+)/.exec(line)?.[1]));
const AFTER = `start_timestamp=${START_MS / 1000}&end_timestamp=${START_MS / 1000 + 60}`;

it('has every row under the filters once, newest first, over all its pages', async () => {
  const got = await scene.asRoot(`/api/log/export?${AFTER}`);
  expect(got.headers.get('content-type')).toBe('text/csv; charset=utf-8');
  expect(got.headers.get('x-total-rows')).toBe(String(ROWS));
  const expected = Array.from({ length: ROWS }, (_, at) => ROWS - 1 - at);
  expect(idsOf(linesOf(got.text))).toEqual(expected);
  const one = await scene.asRoot(`/api/log/export?username=bob&${AFTER}`);
  expect(idsOf(linesOf(one.text))).toEqual([1199, 799, 399]);
});

it('has a byte order mark, names of columns, and no cell that is a formula', async () => {
  const bytes = await fetch(`${scene.server.url}/api/log/self/export?${AFTER}`, {
    headers: await scene.stage.session(alice.user),
  }).then((response) => response.arrayBuffer());
  expect([...new Uint8Array(bytes).slice(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
  const lines = linesOf(new TextDecoder().decode(bytes));
  expect(lines[0]).toBe(
    'time,type,request_id,token_id,token,group,model,prompt_tokens,completion_tokens,quota,charged_usd,duration_ms,stream,ip,details',
  );
  expect(lines.at(-1)).toBe(
    `2026-01-01T00:00:00.000Z,consume,call-0,7,"'=HYPERLINK(""http://evil"")",default,gpt-5,100,20,500,0.001,1200,0,192.0.2.7,`,
  );
  expect(lines.at(-2)).toContain(',"a, ""token""",');
});

it('shows costs and channels only to admins, and to users only their own rows', async () => {
  const all = linesOf((await scene.asRoot(`/api/log/export?${AFTER}`)).text);
  expect(all[0]).toContain(',channel_id,channel,');
  expect(all[0]).toContain(',charged_usd,cost_usd,');
  expect(all.filter((line) => line.includes(',0.001,0.123456789,'))).toHaveLength(602);
  expect(all.filter((line) => line.includes(',0.001,,'))).toHaveLength(601);
  const own = await asAlice(`/api/log/self/export?${AFTER}&username=bob`);
  expect(idsOf(linesOf(own.text))).toHaveLength(1200);
  expect(own.text).not.toMatch(/cost|0\.123456789|channel|hidden/);
  expect((await asAlice('/api/log/export')).status).toBe(403);
});

it('without rows has the column names only, and a bad filter is refused before a file begins', async () => {
  const none = await asAlice('/api/log/self/export?model_name=nothing%20like%20it');
  expect(linesOf(none.text)).toHaveLength(1);
  expect((await asAlice('/api/log/self/export?start_timestamp=-1')).status).toBe(400);
});

it('stops reading when its caller has left', async () => {
  const controller = new AbortController();
  const response = await fetch(`${scene.server.url}/api/log/self/export?${AFTER}`, {
    headers: await scene.stage.session(alice.user),
    signal: controller.signal,
  });
  await response.body?.getReader().read();
  controller.abort();
  // One at a time: the next is given when the first is no longer read.
  await expect.poll(async () => (await asAlice(`/api/log/self/export?${AFTER}`)).status).toBe(200);
});

it('is made for an admin although the limit of files for users, all read slowly, is used up', async () => {
  const { stage, server } = scene;
  const { database } = server.parts.stores;
  const sockets: Socket[] = [];
  for (const name of ['carol', 'dave', 'erin', 'frank']) {
    const { user } = await scene.spender(name, 1000);
    const log = (at: number) =>
      callLog({
        requestId: `${name}-${at}`,
        createdAtMs: START_MS - 1 - at,
        userId: user.id,
        tokenName: 'x'.repeat(8000),
      });
    // More than lies in the buffers of a connection.
    await database.runLedger(Array.from({ length: 2000 }, (_, at) => ({ op: 'note', log: log(at) })));
    const head = Object.entries(await stage.session(user)).map(([key, value]) => `${key}: ${value}\r\n`);
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
    socket.write(`GET /api/log/self/export HTTP/1.1\r\nHost: a\r\n${head.join('')}\r\n`);
    await new Promise((resolve) => socket.once('data', resolve));
    sockets.push(socket.pause());
  }
  expect((await asAlice(`/api/log/self/export?${AFTER}`)).status).toBe(429);
  expect((await scene.asRoot(`/api/log/export?${AFTER}`)).headers.get('x-total-rows')).toBe(String(ROWS));
  for (const socket of sockets) socket.destroy();
  await expect.poll(async () => (await asAlice(`/api/log/self/export?${AFTER}`)).status).toBe(200);
});
