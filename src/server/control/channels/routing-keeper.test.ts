import { beforeEach, expect, it, vi } from 'vitest';
import type { ChannelRow } from '#core/channel/channel.ts';
import { channelRowOf } from '#core/channel/testing/channel.ts';
import { createRoutingKeeper } from './routing-keeper.ts';

// Another file of the same process may have left its clock behind.
beforeEach(() => void vi.useRealTimers());

const row = (id: number, changes: Partial<ChannelRow> = {}): ChannelRow =>
  channelRowOf(id, {
    name: `channel ${id}`,
    encryptedKey: `key of channel:${id}`,
    models: 'gpt-small',
    ...changes,
  });

/** A list of prices that never changes. */
const list = {
  catalogue: { at: () => ({ find: () => undefined }), changesAfter: () => undefined },
  clock: { now: () => 0 },
};

/** A store of these rows. */
const storeOf = (rows: () => Promise<readonly ChannelRow[]>, read: number[] = []) => ({
  revisions: rows,
  byIds: async (ids: readonly number[]) => {
    read.push(...ids);
    return (await rows()).filter(({ id }) => ids.includes(id));
  },
});

const keeperOver = async (rows: ChannelRow[], stored: Map<string, string>) => {
  const warnings: string[] = [];
  let readings = 0;
  const keeper = await createRoutingKeeper({
    channels: {
      ...storeOf(async () => rows),
      revisions: async () => {
        readings += 1;
        const now = [...rows];
        await new Promise((resolve) => setImmediate(resolve));
        return now;
      },
    },
    channelKeys: { ofChannels: () => Promise.resolve([]), sizes: () => Promise.resolve(new Map()) },
    options: {
      all: () => Promise.resolve(new Map(stored)),
      priceVersion: () => Promise.resolve(3),
      pricesUntilMs: async () => undefined,
    },
    ...list,
    vault: {
      decrypt: (sealed, place) => {
        if (sealed !== `key of ${place}`) throw new Error('sealed for another place');
        return 'sk-open';
      },
    },
    log: {
      info: () => {},
      warn: (message, fields) => void warnings.push(`${message} ${JSON.stringify(fields)}`),
      error: () => {},
    },
  });
  return { keeper, warnings, readings: () => readings };
};

it('a refresh includes everything written before it was requested, and many share one reading', async () => {
  const rows = [row(1)];
  const { keeper, readings } = await keeperOver(rows, new Map());
  expect(keeper.current().version).toBe(1);
  const seen = await Promise.all(
    Array.from({ length: 50 }, async (_, n) => {
      rows.push(row(n + 2));
      await keeper.refresh();
      return keeper.current().channels.has(n + 2);
    }),
  );
  expect(seen).toEqual(seen.map(() => true));
  // The first read at the start, the one that was running, and one shared by all who waited.
  expect(readings()).toBe(3);
  expect(keeper.current()).toMatchObject({ version: 3, priceVersion: 3 });
});

it('one bad row, key or option never stops the others', async () => {
  const rows = [row(1), row(2, { modelMapping: '{' }), row(3, { encryptedKey: 'key of channel:1' })];
  const stored = new Map([
    ['RetryTimes', '3'],
    ['GroupRatio', 'broken'],
    ['internal.note', 'x'],
  ]);
  const { keeper, warnings } = await keeperOver(rows, stored);
  await keeper.refresh();
  const { channels, bad, options } = keeper.current();
  expect([...channels.keys()]).toEqual([1]);
  expect(bad.map(({ id }) => id)).toEqual([2, 3]);
  expect(options).toMatchObject({ RetryTimes: 3, GroupRatio: { default: 1 } });
  expect(warnings.some((line) => line.includes('GroupRatio'))).toBe(true);
  expect(warnings.join('\n')).not.toContain('sk-open');
});

it('a reading that fails keeps the old routing, and is tried again until it succeeds', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const rows = [row(1)];
  let fails = false;
  const keeper = await createRoutingKeeper({
    channels: storeOf(() => (fails ? Promise.reject(new Error('away')) : Promise.resolve(rows))),
    channelKeys: { ofChannels: () => Promise.resolve([]), sizes: () => Promise.resolve(new Map()) },
    options: {
      all: () => Promise.resolve(new Map()),
      priceVersion: () => Promise.resolve(0),
      pricesUntilMs: async () => undefined,
    },
    ...list,
    vault: { decrypt: () => 'sk-open' },
    log: { info: () => {}, warn: () => {}, error: () => {} },
  });
  fails = true;
  await expect(keeper.refresh()).rejects.toThrow('away');
  expect(keeper.current().channels.size).toBe(1);
  await vi.advanceTimersByTimeAsync(2000);
  rows.push(row(2));
  fails = false;
  await vi.advanceTimersByTimeAsync(2000);
  vi.useRealTimers();
  await expect.poll(() => keeper.current().channels.size).toBe(2);
});

it('only channels that have changed are read again, and none that is gone is kept', async () => {
  const rows = Array.from({ length: 250 }, (_, n) => row(n + 1));
  const opened: string[] = [];
  const read: number[] = [];
  const keeper = await createRoutingKeeper({
    channels: storeOf(() => Promise.resolve(rows.map((one) => ({ ...one }))), read),
    channelKeys: { ofChannels: () => Promise.resolve([]), sizes: () => Promise.resolve(new Map()) },
    options: {
      all: () => Promise.resolve(new Map()),
      priceVersion: () => Promise.resolve(0),
      pricesUntilMs: async () => undefined,
    },
    ...list,
    vault: { decrypt: (sealed) => (opened.push(sealed), `opened ${sealed}`) },
    log: { info: () => {}, warn: () => {}, error: () => {} },
  });
  expect(opened).toHaveLength(250);
  const before = keeper.current().channels;
  opened.length = 0;
  read.length = 0;
  rows[6] = row(7, { encryptedKey: 'another key', revision: 1 });
  rows[7] = row(8, { models: 'gpt-large', revision: 1 });
  rows.pop();
  rows.push(row(251));
  await keeper.refresh();
  const { channels, byModel } = keeper.current();
  expect(read).toEqual([7, 8, 251]);
  expect(opened).toEqual(['another key', 'key of channel:8', 'key of channel:251']);
  expect(channels.get(7)?.key.reveal()).toBe('opened another key');
  expect(byModel.get('gpt-large')).toEqual([8]);
  expect(channels.get(1)).toBe(before.get(1));
  expect([channels.size, channels.has(250), channels.has(251)]).toEqual([250, false, true]);
});

it('list prices are those of the moment, and calls wait for due ones as for scheduled prices', async () => {
  const CHANGE_MS = 5000;
  const [before, after] = [
    { find: () => ({ modelRatio: 1, completionRatio: 1 }) },
    { find: () => undefined },
  ];
  let nowMs = CHANGE_MS - 1;
  let dueMs: number | undefined;
  const keeper = await createRoutingKeeper({
    channels: storeOf(() => Promise.resolve([])),
    channelKeys: { ofChannels: () => Promise.resolve([]), sizes: () => Promise.resolve(new Map()) },
    options: {
      all: () => Promise.resolve(new Map()),
      priceVersion: () => Promise.resolve(0),
      pricesUntilMs: async () => dueMs,
    },
    catalogue: {
      at: (atMs) => (atMs < CHANGE_MS ? before : after),
      changesAfter: (atMs) => (atMs < CHANGE_MS ? CHANGE_MS : undefined),
    },
    clock: { now: () => nowMs },
    vault: { decrypt: () => 'sk-open' },
    log: { info: () => {}, warn: () => {}, error: () => {} },
  });
  expect(keeper.current()).toMatchObject({ catalogue: before, pricesUntilMs: CHANGE_MS });
  for (const [scheduledMs, untilMs] of [
    [CHANGE_MS - 1000, CHANGE_MS - 1000],
    [CHANGE_MS + 1000, CHANGE_MS],
  ]) {
    dueMs = scheduledMs;
    await keeper.refresh();
    expect(keeper.current().pricesUntilMs).toBe(untilMs);
  }
  nowMs = CHANGE_MS;
  await keeper.refresh();
  expect(keeper.current()).toMatchObject({ catalogue: after, pricesUntilMs: CHANGE_MS + 1000 });
});
