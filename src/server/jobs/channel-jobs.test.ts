import { expect, it } from 'vitest';
import { initialOptions } from '#contract/options.ts';
import type { User } from '#core/user/user.ts';
import type { RoundState } from '../control/channels/checks/round.ts';
import { channelJobs } from './channel-jobs.ts';

const MINUTE_MS = 60_000;

it('tests and balances begin when their minutes are over, counted from the end of the last time', async () => {
  let nowMs = 0;
  const begun: string[] = [];
  const states: Partial<Record<string, RoundState>> = {};
  const done = (): RoundState => ({
    isRunning: false,
    done: 0,
    total: 0,
    failed: 0,
    current: '',
    startedAtMs: nowMs,
    finishedAtMs: nowMs,
    isStopped: false,
  });
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
