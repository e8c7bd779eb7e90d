import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ShareWindow } from '#core/channel/health/share-window.ts';
import { DEADLINE_MS, decisionOf, silentChannels } from '../testing/silent-channels.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('a place that was taken for a further attempt, which the budget then refuses, counts as no call', async () => {
  const call = silentChannels();
  const used: unknown[] = [];
  const lease = { end: (of?: unknown) => used.push(of), more: () => undefined };
  const { ended } = call.begin(2, {
    budget: new ShareWindow(0),
    choose: ({ channels }) => ({ ...decisionOf(channels.size + 1, 2), lease }),
  });
  await vi.advanceTimersByTimeAsync(3 * DEADLINE_MS);
  expect(used).toEqual(['nothing sent', 'nothing sent']);
  call.at(0).answer('at last');
  expect(await ended).toBe('at last');
});
