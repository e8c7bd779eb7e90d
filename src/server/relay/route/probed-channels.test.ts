import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { channelOf } from '#core/channel/testing/channel.ts';
import { AppError } from '#core/error.ts';
import { upstreamFailed } from '../testing/upstream-failed.ts';
import { DEADLINE_MS, silentChannels } from '../testing/silent-channels.ts';

/** Whether a channel that was known to fail works again is found out at the cost of the house, not of a caller's time. */

let call: ReturnType<typeof silentChannels>;
beforeEach(() => {
  vi.useFakeTimers();
  call = silentChannels();
});
afterEach(() => void vi.useRealTimers());

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);
const log = () => call.book.attempts.map(({ channelId, status, race }) => [channelId, status, race]);
const at = (index: number) => call.at(index);

/** A call to a channel that failed a while ago, beside one that works. */
const beginAtProbe = async (
  open: number,
  wish: Parameters<typeof call.begin>[1] = { haste: undefined, probeMs: DEADLINE_MS },
) => {
  const silence = new AppError('upstream_timeout', 'silent');
  call.health.failed(channelOf(1), 'm', { error: silence, startedMs: Date.now(), nowMs: Date.now() });
  await pass(60_000);
  return call.begin(open, { answer: 'stream', ...wish });
};
const keepsFailing = () => call.health.keepsFailing(1, 'm', Date.now(), 0);

test('a channel that still hangs costs the one who tries it a moment, and is known to hang once its own time is over', async () => {
  const { ended } = await beginAtProbe(2);
  await pass(DEADLINE_MS + 50);
  expect(call.asked.length).toBe(2);
  at(1).answer('two');
  expect(await ended).toBe('two');
  expect(log()).toEqual([
    [1, 0, 'lost'],
    [2, 200, 'won'],
  ]);
  expect(at(0).attempt.abort.signal.aborted).toBe(false);
  at(0).fail(new AppError('upstream_timeout', 'silent'));
  await pass(1);
  expect([keepsFailing(), call.health.wouldCool(1, 0, 'm', Date.now())]).toEqual([true, true]);
});

test('a channel that works again is known to, though another was faster', async () => {
  const { ended } = await beginAtProbe(2);
  await pass(DEADLINE_MS + 50);
  at(1).answer('two');
  expect([await ended, keepsFailing()]).toEqual(['two', true]);
  at(0).answer('one');
  await pass(1);
  expect([keepsFailing(), call.dropped, at(0).attempt.givenUp?.code]).toEqual([
    false,
    [[1, 'one']],
    'client_closed',
  ]);
});

test('where the channel beside one that still hangs fails, the next is asked at once', async () => {
  const { ended } = await beginAtProbe(3);
  await pass(DEADLINE_MS + 50);
  at(1).fail(upstreamFailed('broken'));
  await pass(10);
  expect(call.asked.length).toBe(3);
  at(2).answer('three');
  expect(await ended).toBe('three');
});

test('where the operator says when a first token is late, a channel that is late has failed by then, and is not waited for', async () => {
  const { ended } = await beginAtProbe(2, { probeMs: DEADLINE_MS * 50 });
  await pass(DEADLINE_MS + 50);
  expect([at(0).attempt.abort.signal.aborted, call.health.wouldCool(1, 0, 'm', Date.now())]).toEqual([
    true,
    true,
  ]);
  at(1).answer('two');
  expect([await ended, keepsFailing()]).toEqual(['two', true]);
});
