import { afterAll, beforeAll, expect, it } from 'vitest';
import { logType } from '#contract/codes.ts';
import { readConfig } from '../config.ts';
import { fillWithDemo, type RunningServer, startServer } from '../main.ts';
import { brokenRules } from '../store/testing/broken-rules.ts';
import type { Caller } from '../http/testing/caller.ts';
import { setStage } from '../http/testing/stage.ts';
import { keptLog, temporaryFolder, testEnvironment } from '../http/testing/test-config.ts';

/** The content of the demo: plausible traffic of the last days. */

const folder = temporaryFolder();
let server: RunningServer;
let root: Caller;
let alice: Caller;

beforeAll(async () => {
  server = await startServer(readConfig(testEnvironment(folder.path)), { log: keptLog() });
  const accounts = await fillWithDemo(server, 'http://127.0.0.1:9');
  const stage = await setStage(server);
  const as = async (username: string): Promise<Caller> => {
    const user = await server.parts.stores.users.byLogin(username);
    if (user === undefined) throw new Error(`there is no ${username}`);
    return stage.caller(await stage.session(user));
  };
  [root, alice] = [await as(accounts.root.username), await as(accounts.user.username)];
});
afterAll(async () => {
  await server.stop();
  folder.remove();
});

const items = async <Item>(caller: Caller, path: string): Promise<Item[]> =>
  ((await caller(path)).data as { items: Item[] }).items;
const isFalling = (times: readonly number[]): boolean =>
  times.every((time, at) => at === 0 || time <= (times[at - 1] ?? 0));

it('the logs begin with calls of the last hours; what set the site up is a week back', async () => {
  const logs = await items<{ type: number; created_at: number; model_name: string }>(
    root,
    '/api/log?page_size=50',
  );
  expect(logs.filter(({ type }) => type === logType.manage || type === logType.system)).toEqual([]);
  expect(logs.filter(({ model_name: model }) => model !== '').length).toBeGreaterThan(45);
  const manage = await items<{ created_at: number; content: string }>(
    root,
    `/api/log?type=${logType.manage}&page_size=100`,
  );
  expect(manage.length).toBeGreaterThan(8);
  const weekAgo = Date.now() / 1000 - 7 * 86_400;
  const late = manage.filter(({ created_at: at }) => at > weekAgo);
  expect(late.map(({ content }) => content).filter((text) => !/prices|usage of token/.test(text))).toEqual(
    [],
  );
});

it('each of its chats says which channels it did not go to, and why', async () => {
  const logs = await items<{ channel: number; other: string }>(root, '/api/log?page_size=50');
  const told = logs.flatMap(({ channel, other }) => {
    const { admin_info: info } = JSON.parse(other || '{}') as {
      admin_info?: { attempts?: unknown[]; decision?: { left_out: [number, string][] } };
    };
    return info?.attempts === undefined ? [] : [{ channel, leftOut: info.decision?.left_out ?? [] }];
  });
  expect(told.length).toBeGreaterThan(20);
  for (const { channel, leftOut } of told)
    expect(new Set([channel, ...leftOut.map(([other]) => other)])).toEqual(new Set([1, 2, 3]));
});

it('drawings, music and the history of a wallet are in the order of their times, and nothing is yet to come', async () => {
  const drawings = await items<{ submit_time: number }>(alice, '/api/mj/self?page_size=50');
  const music = await items<{ submit_time: number }>(alice, '/api/task/self?page_size=50');
  const moved = await items<{ created_time: number; balance: number; quota: number }>(
    alice,
    '/api/user/topup/history?page_size=50',
  );
  expect([drawings.length, music.length, moved.length >= 7]).toEqual([12, 4, true]);
  for (const times of [
    drawings.map(({ submit_time: at }) => at / 1000),
    music.map(({ submit_time: at }) => at),
    moved.map(({ created_time: at }) => at),
  ]) {
    expect(isFalling(times)).toBe(true);
    expect(Math.max(...times)).toBeLessThanOrEqual(Date.now() / 1000);
  }
  // Calls in between were paid from it: no balance is what came in alone.
  const total = moved.reduce((sum, { quota }) => sum + quota, 0);
  expect(moved[0]?.balance).toBeLessThan(total);
});

it('every unit of it is accounted for', async () => {
  expect(await brokenRules(server.parts.stores.database)).toEqual([]);
});

it('has what a call costs and what is left of it, a month with its statement, and prices with a history', async () => {
  const week = `start_timestamp=${Math.floor(Date.now() / 1000) - 8 * 86_400}`;
  const channels = (await root(`/api/data/margin?by=channel&${week}`)).data as {
    name: string;
    cost_nano_usd: number;
    uncosted: number;
  }[];
  expect(channels.filter(({ cost_nano_usd: cost }) => cost > 0).length).toBeGreaterThanOrEqual(2);
  const rows = (await root(`/api/log?type=2&page_size=100&model_name=deepseek-chat&channel=2&${week}`)).text;
  expect(rows).toContain('below_cost');
  const months = (await alice('/api/statement/self')).data as { month: string }[];
  expect(months.length).toBeGreaterThanOrEqual(1);
  const month = months[0]!.month;
  const { statement } = (await alice(`/api/statement/self/${month}`)).data as {
    statement: { charged_units: number; tokens: { units: number }[] };
  };
  expect(statement.charged_units).toBeGreaterThan(0);
  const tags = await alice(`/api/statement/self/sums?by=tag&month=${month}`);
  // Which of them was charged more is up to the dice.
  const { lines } = tags.data as { lines: { name: string }[] };
  expect(lines.map(({ name }) => name).toSorted()).toEqual(['research', 'shop']);
  const versions = (await root('/api/price_book?p=1&page_size=20')).text;
  expect(versions).toContain('The upstream raised its price');
  const drafts = (await root('/api/price_book/draft')).data as { state: string }[];
  expect(drafts.map(({ state }) => state).toSorted()).toEqual(['due', 'open']);
});
