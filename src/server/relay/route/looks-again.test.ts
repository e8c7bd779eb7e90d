import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Decision } from '#core/channel/selection/select.ts';
import { ShareWindow } from '#core/channel/health/share-window.ts';
import { DEADLINE_MS, decisionOf, silentChannels } from '../testing/silent-channels.ts';

/** That a late call waits for one deadline, whatever keeps it from going on at once. */

let call: ReturnType<typeof silentChannels>;
beforeEach(() => {
  vi.useFakeTimers();
  call = silentChannels();
});
afterEach(() => void vi.useRealTimers());

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);
const at = (index: number) => call.at(index);

test('waiting for a full channel for a moment costs no further deadline', async () => {
  const deadlineMs = 10 * DEADLINE_MS;
  let hasRoom = false;
  const { ended } = call.begin(2, {
    haste: { deadlineMs, hedges: false, takesHedge: () => true, answered: () => undefined },
    choose: ({ channels }) =>
      channels.size === 0 || hasRoom
        ? decisionOf(channels.size + 1, 2)
        : { ...decisionOf(9, 2), channel: undefined, leftOut: [{ channelId: 2, reason: 'no_room' }] },
  });
  await pass(deadlineMs + 50);
  hasRoom = true;
  await pass(deadlineMs / 2);
  expect(call.asked.length).toBe(2);
  at(1).answer('two');
  expect(await ended).toBe('two');
});

test('a late call that found no budget for a further attempt asks for it again after another deadline', async () => {
  const budget = new ShareWindow(1);
  budget.spend(Date.now());
  const { ended } = call.begin(2, { budget });
  await pass(DEADLINE_MS * 3);
  expect([call.asked.length, call.book.isOverBudget]).toEqual([1, true]);
  // Other calls came meanwhile.
  for (let other = 0; other < 20; other += 1) budget.note(Date.now());
  await pass(DEADLINE_MS + 50);
  expect(call.asked.length).toBe(2);
  at(1).answer('two');
  expect(await ended).toBe('two');
});

describe('a silent key', () => {
  const seat = (id: number, keyId: number): Decision => {
    const decision = decisionOf(id, id);
    return { ...decision, channel: decision.channel && { ...decision.channel, keyId } };
  };
  /** Channel 100 with the keys 1 and 2, and where it is wished the channel 101. Gives how the call was sent on. */
  const sentOn = async (sentMs: number, isBeside: boolean): Promise<(number | undefined)[]> => {
    const { ended } = call.begin(2, {
      choose: ({ channels, keys }) => {
        if (!channels.has(100)) return seat(100, keys.has(1) ? 2 : 1);
        return isBeside ? seat(101, 0) : decisionOf(1, 0);
      },
    });
    await pass(DEADLINE_MS / 2);
    const nowMs = Date.now();
    call.health.succeeded({ id: 100, keyId: 2 }, 'm', nowMs, nowMs - DEADLINE_MS / 2 + sentMs);
    await pass(DEADLINE_MS);
    const { id, keyId } = at(1).attempt.destination.channel;
    at(1).answer('two');
    expect(await ended).toBe('two');
    return [id, keyId];
  };

  test('is left for another key of its channel that has answered what was sent later', async () => {
    expect(await sentOn(1, true)).toEqual([100, 2]);
  });

  test('is left for another channel where what was answered meanwhile had been sent before', async () => {
    expect(await sentOn(-1, true)).toEqual([101, 0]);
  });

  test('is left for another key even then, where there is no other channel', async () => {
    expect(await sentOn(-1, false)).toEqual([100, 2]);
  });
});
