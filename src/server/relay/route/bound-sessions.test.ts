import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { BoundSession, BoundSessionStore } from '#core/channel/selection/bound-session-store.ts';
import { SessionBindings } from '#core/channel/selection/session-bindings.ts';
import { BoundSessions } from './bound-sessions.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const DAY_MS = 86_400_000;
const NOW_MS = 10 * DAY_MS;

/** A store that remembers how it was used; `isDown` has it fail. */
const opened = () => {
  const saved: (readonly BoundSession[])[] = [];
  const pruned: [number, number][] = [];
  const errors: string[] = [];
  const database = { isDown: false };
  const store: BoundSessionStore = {
    save: async (sessions) => {
      if (database.isDown) throw new Error('the database is not there');
      saved.push(sessions);
    },
    usedSince: async () => [],
    forget: async () => undefined,
    prune: async (sinceMs, most) => void pruned.push([sinceMs, most]),
  };
  const bindings = new SessionBindings();
  const clock = { now: () => NOW_MS, monotonic: () => 1000 };
  const log = { error: (text: string) => void errors.push(text) };
  const kept = new BoundSessions({ store, clock, log }, bindings);
  const use = (id: string): void => {
    bindings.bind(id, { userId: 1, channelId: 2, keyId: 3, model: 'm' }, 900);
    kept.note(id, 1);
  };
  return { kept, use, saved, pruned, errors, database };
};

it('sessions are written together some seconds later, with the time of the wall', async () => {
  const { use, saved } = opened();
  use('a');
  use('b');
  use('a');
  await vi.advanceTimersByTimeAsync(4999);
  expect(saved).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(saved.map((rows) => rows.map(({ id }) => id))).toEqual([['a', 'b']]);
  expect(saved[0]?.[0]).toMatchObject({ userId: 1, channelId: 2, keyId: 3, usedAtMs: NOW_MS - 100 });
  await vi.advanceTimersByTimeAsync(60_000);
  expect(saved).toHaveLength(1);
});

it('nothing is asked of the database where nothing waits, or all of it was forgotten meanwhile', async () => {
  const { kept, saved, pruned } = opened();
  await kept.flush();
  kept.note('forgotten', 1);
  await kept.flush();
  expect([saved, pruned]).toEqual([[], []]);
});

it('old ones are deleted with the first that are written, and again after ten thousand more', async () => {
  const { kept, use, pruned } = opened();
  const write = async (count: number, of: string): Promise<void> => {
    for (let at = 0; at < count; at += 1) use(`${of}${String(at)}`);
    await kept.flush();
  };
  await write(1, 'a');
  expect(pruned).toEqual([[NOW_MS - DAY_MS, 50_000]]);
  await write(9999, 'b');
  expect(pruned).toHaveLength(1);
  await write(1, 'c');
  expect(pruned).toHaveLength(2);
});

it('entries that could not be written are logged and dropped: those in use come again', async () => {
  const { kept, use, saved, errors, database } = opened();
  database.isDown = true;
  use('a');
  await kept.flush();
  expect([saved, errors.length]).toEqual([[], 1]);
  database.isDown = false;
  use('a');
  await kept.flush();
  expect(saved).toHaveLength(1);
});

it('a database that does not answer does not fill the memory', async () => {
  const { kept, use, saved } = opened();
  for (let at = 0; at < 20_010; at += 1) use(String(at));
  await kept.flush();
  expect(saved[0]).toHaveLength(20_000);
});
