import { expect, it } from 'vitest';
import { initialOptions } from '#contract/options.ts';
import type { CountStore } from '#core/limits/count-store.ts';
import type { User } from '#core/user/user.ts';
import type { RoundState } from '../control/channels/checks/round.ts';
import { channelJobs } from './channel-jobs.ts';

const MINUTE_MS = 60_000;

const idle: RoundState = {
  isRunning: false,
  done: 0,
  total: 0,
  failed: 0,
  current: '',
  startedAtMs: 0,
  finishedAtMs: 0,
  isStopped: false,
};

const countsInMemory = (): Pick<CountStore, 'count' | 'forget'> => {
  const windows = new Map<string, { count: number; endsAtMs: number }>();
  return {
    async count(key, windowMs, nowMs) {
      const known = windows.get(key);
      const isOver = known === undefined || known.endsAtMs <= nowMs || known.endsAtMs > nowMs + 2 * windowMs;
      const next = isOver ? { count: 1, endsAtMs: nowMs + windowMs } : { ...known, count: known.count + 1 };
      windows.set(key, next);
      return next;
    },
    async forget(key) {
      windows.delete(key);
    },
  };
};

it('tests and balances begin when their minutes are over, counted from the end of the last time', async () => {
  let nowMs = 0;
  const begun: string[] = [];
  const states: Partial<Record<string, RoundState>> = {};
  const done = (): RoundState => ({ ...idle, startedAtMs: nowMs, finishedAtMs: nowMs });
  const begin = (kind: string): void => {
    begun.push(`${kind} ${String(nowMs / MINUTE_MS)}`);
    states[kind] = done();
  };
  let options = initialOptions;
  const jobs = channelJobs({
    seen: { flush: async () => {} },
    sightings: { deleteOrphans: async () => {} },
    rounds: {
      state: (kind: string) => states[kind],
      testAll: () => begin('test'),
      updateBalances: () => begin('balance'),
    },
    users: { ofRole: async () => [{ id: 1 } as User] },
    counts: countsInMemory(),
    options: () => options,
    clock: { now: () => nowMs, monotonic: () => nowMs },
  });
  const look = async (minutes: number): Promise<void> => {
    nowMs = minutes * MINUTE_MS;
    await jobs.find(({ name }) => name === 'test channels and ask for balances')?.run();
  };
  await look(60);
  expect(begun).toEqual([]);
  options = {
    ...options,
    'monitor_setting.auto_test_channel_enabled': true,
    'monitor_setting.auto_test_channel_minutes': 10,
    'monitor_setting.auto_update_balance_minutes': 30,
  };
  for (const minutes of [61, 65, 71, 80, 81, 91]) await look(minutes);
  expect(begun).toEqual(['balance 61', 'test 61', 'test 71', 'test 81', 'balance 91', 'test 91']);
  // The clock is set back.
  for (const minutes of [50, 59, 60]) await look(minutes);
  expect(begun.slice(6)).toEqual(['balance 50', 'test 50', 'test 60']);
});

it('of several nodes one tests, however long it takes; another does once that one is gone', async () => {
  let nowMs = 0;
  const counts = countsInMemory();
  const begun: string[] = [];
  const node = (name: string) => {
    let state: RoundState | undefined;
    const jobs = channelJobs({
      seen: { flush: async () => {} },
      sightings: { deleteOrphans: async () => {} },
      rounds: {
        state: (kind: string) => (kind === 'test' ? state : undefined),
        testAll: () => {
          begun.push(`${name} ${String(nowMs / MINUTE_MS)}`);
          state = { ...idle, startedAtMs: nowMs, isRunning: true };
        },
        updateBalances: () => {},
      },
      users: { ofRole: async () => [{ id: 1 } as User] },
      counts,
      options: () => ({
        ...initialOptions,
        'monitor_setting.auto_test_channel_enabled': true,
        'monitor_setting.auto_test_channel_minutes': 10,
      }),
      clock: { now: () => nowMs, monotonic: () => nowMs },
    });
    return {
      look: async () => jobs.find(({ name: job }) => job.startsWith('test channels'))?.run(),
      end: () => (state = { ...idle, finishedAtMs: nowMs }),
    };
  };
  const [here, there] = [node('here'), node('there')];
  const look = async (minutes: number, ...nodes: (typeof here)[]): Promise<void> => {
    nowMs = minutes * MINUTE_MS;
    for (const each of nodes) await each.look();
  };
  // Its round takes longer than the interval.
  for (const minutes of [10, 15, 20, 25]) await look(minutes, here, there);
  here.end();
  for (const minutes of [26, 34]) await look(minutes, here, there);
  expect(begun).toEqual(['here 10']);
  for (const minutes of [35, 40]) await look(minutes, there, here);
  expect(begun).toEqual(['here 10', 'there 35']);
  // It dies in the middle of its round.
  for (const minutes of [49, 50, 59]) await look(minutes, here);
  expect(begun).toEqual(['here 10', 'there 35', 'here 50']);
});
