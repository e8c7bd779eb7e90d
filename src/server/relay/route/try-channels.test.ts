import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { initialOptions } from '#contract/options.ts';
import { ShareWindow } from '#core/channel/health/share-window.ts';
import type { Channel } from '#core/channel/channel.ts';
import { channelOf } from '#core/channel/testing/channel.ts';
import { AppError } from '#core/error.ts';
import { upstreamFailed } from '../testing/upstream-failed.ts';
import { Secret } from '#core/secrets/secret.ts';
import type { Tries } from './tries.ts';
import { DEADLINE_MS, decisionOf, silentChannels } from '../testing/silent-channels.ts';
import type { Chosen } from '../destination.ts';

/** What the loop does with channels that are silent. */

let call: ReturnType<typeof silentChannels>;
beforeEach(() => {
  vi.useFakeTimers();
  call = silentChannels();
});
afterEach(() => void vi.useRealTimers());

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);
const log = () => call.book.attempts.map(({ channelId, status, race }) => [channelId, status, race]);
const at = (index: number) => call.at(index);

test('a channel that is silent beyond the deadline is stopped, and the next one answers', async () => {
  const { ended } = call.begin(3);
  await pass(DEADLINE_MS + 50);
  expect(call.asked.length).toBe(2);
  expect(at(0).attempt.abort.signal.aborted).toBe(true);
  at(1).answer('two');
  expect(await ended).toBe('two');
  expect(log()).toEqual([
    [1, 0, undefined],
    [2, 200, undefined],
  ]);
  expect(call.book.attempts[0]?.error).toContain('no event within 0.1 s');
  expect([call.book.attempt?.destination.channel.id, call.book.running, call.dropped]).toEqual([
    2,
    [],
    [[1, undefined]],
  ]);
});

test('the last channel left gets all the time it needs', async () => {
  const { ended } = call.begin(1);
  await pass(DEADLINE_MS * 100);
  expect(call.asked.length).toBe(1);
  expect(at(0).attempt.abort.signal.aborted).toBe(false);
  at(0).answer('late');
  expect(await ended).toBe('late');
});

test('where all others are full they are checked again while the first is silent', async () => {
  let hasRoom = false;
  const { ended } = call.begin(2, {
    choose: ({ channels }) =>
      channels.size === 0 || hasRoom
        ? decisionOf(channels.size + 1, 2)
        : { ...decisionOf(9, 2), channel: undefined, leftOut: [{ channelId: 2, reason: 'no_room' }] },
  });
  await pass(DEADLINE_MS * 5);
  expect(call.asked.length).toBe(1);
  hasRoom = true;
  await pass(1000);
  expect(call.asked.length).toBe(2);
  at(1).answer('two');
  expect(await ended).toBe('two');
});

test('a slow channel is not left for one that cools down', async () => {
  const { ended } = call.begin(2, {
    choose: ({ channels }) => ({ ...decisionOf(channels.size + 1, 2), coolingTaken: channels.size > 0 }),
  });
  await pass(DEADLINE_MS * 10);
  expect(call.asked.length).toBe(1);
  at(0).answer('one');
  expect(await ended).toBe('one');
});

test('a call that may go to one channel only has no deadline', async () => {
  const { ended } = call.begin(2, { isFree: false });
  await pass(DEADLINE_MS * 10);
  expect(call.asked.length).toBe(1);
  at(0).answer('one');
  expect(await ended).toBe('one');
});

test('at most six channels are asked because of silence', async () => {
  const { ended } = call.begin(100);
  await pass(DEADLINE_MS * 100);
  expect(call.asked.length).toBe(6);
  at(5).answer('six');
  expect(await ended).toBe('six');
});

test('in a race the first answer wins: the other attempt is stopped and dropped once, whatever comes of it later', async () => {
  const { ended } = call.begin(3, { hedges: true });
  await pass(DEADLINE_MS + 50);
  expect(call.asked.length).toBe(2);
  expect(at(0).attempt.abort.signal.aborted).toBe(false);
  at(1).answer('two');
  expect(await ended).toBe('two');
  expect(at(0).attempt.abort.signal.aborted).toBe(true);
  expect(at(1).attempt.abort.signal.aborted).toBe(false);
  at(0).answer('one');
  await pass(DEADLINE_MS * 10);
  expect(call.dropped).toEqual([[1, undefined]]);
  expect(log()).toEqual([
    [1, 0, 'lost'],
    [2, 200, 'won'],
  ]);
  expect(call.book.attempt?.destination.channel.id).toBe(2);
});

test('of two answers that come in the same moment one is taken and the other dropped', async () => {
  const { ended } = call.begin(2, { hedges: true });
  await pass(DEADLINE_MS + 50);
  at(0).answer('one');
  at(1).answer('two');
  expect(await ended).toBe('one');
  await pass(1);
  expect(call.dropped).toEqual([[2, 'two']]);
});

test('a race whose first channel fails is decided by the second', async () => {
  const { ended } = call.begin(2, { hedges: true });
  await pass(DEADLINE_MS + 50);
  at(0).fail(upstreamFailed('gone'));
  await pass(1);
  at(1).answer('two');
  expect(await ended).toBe('two');
  expect(log()).toEqual([
    [1, 0, 'lost'],
    [2, 200, 'won'],
  ]);
  expect(call.dropped).toEqual([]);
});

test('when both fail the call fails with the last error, or is tried again where that is allowed', async () => {
  const { ended } = call.begin(2, { hedges: true });
  await pass(DEADLINE_MS + 50);
  at(0).fail(upstreamFailed('gone'));
  at(1).fail(new AppError('rate_limited', 'busy'));
  expect(await ended).toBe('rate_limited');
  expect(call.book.running).toEqual([]);

  call = silentChannels();
  const again = call.begin(3, { hedges: true, retries: 1 });
  await pass(DEADLINE_MS + 50);
  at(0).fail(upstreamFailed('gone'));
  at(1).fail(upstreamFailed('gone'));
  await pass(1);
  at(2).answer('three');
  expect(await again.ended).toBe('three');
});

test('an error that every channel would give ends the race at once', async () => {
  call.health.succeeded({ id: 1, keyId: 0 }, 'm', Date.now());
  const { ended } = call.begin(2, { hedges: true });
  await pass(DEADLINE_MS + 50);
  const upstream = { status: 400, message: 'no such tool' };
  at(0).fail(new AppError('invalid_request', 'no such tool', { upstream }));
  expect(await ended).toBe('invalid_request');
  await pass(1);
  expect(at(1).attempt.abort.signal.aborted).toBe(true);
  expect(call.dropped).toEqual([[2, undefined]]);
});

test('never more than two work on a call: where both are silent, the older one is left', async () => {
  const { ended } = call.begin(4, { hedges: true });
  await pass(DEADLINE_MS * 2 + 50);
  expect(call.asked.map(({ attempt }) => attempt.abort.signal.aborted)).toEqual([true, false, false]);
  expect(call.book.running.length).toBe(2);
  at(1).answer('two');
  expect(await ended).toBe('two');
});

test('two that race where no third is left are waited for, and nobody looks for a third again and again', async () => {
  let looks = 0;
  const choose = ({ channels }: { readonly channels: ReadonlySet<number> }) => {
    looks += 1;
    return decisionOf(channels.size + 1, 2);
  };
  const { ended } = call.begin(2, { hedges: true, choose });
  await pass(DEADLINE_MS * 3);
  const looked = looks;
  await pass(DEADLINE_MS * 100);
  expect([call.asked.length, looks - looked]).toEqual([2, 0]);
  at(1).answer('two');
  expect(await ended).toBe('two');
});

test('without a budget for races the silent channel is left instead', async () => {
  const { ended } = call.begin(2, {
    haste: { deadlineMs: DEADLINE_MS, hedges: true, takesHedge: () => false, answered: () => undefined },
  });
  await pass(DEADLINE_MS + 50);
  expect(at(0).attempt.abort.signal.aborted).toBe(true);
  at(1).answer('two');
  expect(await ended).toBe('two');
});

test('a caller who leaves in a race stops both, and nothing begins any more', async () => {
  const left = new AppError('client_closed', 'the caller went away');
  const { ended } = call.begin(4, { hedges: true });
  await pass(DEADLINE_MS + 50);
  Object.assign(call.book, { stopped: left });
  for (const attempt of call.book.running) attempt.abort.abort();
  expect(await ended).toBe('client_closed');
  await pass(DEADLINE_MS * 10);
  expect(call.asked.length).toBe(2);
  expect(call.dropped.map(([id]) => id)).toEqual([2]);
  expect(call.asked.map(({ attempt }) => attempt.givenUp)).toEqual([undefined, undefined]);
});

test('with everything failing there are at most 1.2 attempts a call', async () => {
  const budget = new ShareWindow(20);
  const ask = vi.fn<Tries<string, Chosen>['ask']>(() => Promise.reject(upstreamFailed('gone')));
  let refused = 0;
  for (let count = 0; count < 500; count += 1) {
    call = silentChannels();
    await call.begin(10, { budget, retries: 3, ask, haste: undefined }).ended;
    if (call.book.isOverBudget === true) refused += 1;
  }
  expect(ask).toHaveBeenCalledTimes(600);
  expect(refused).toBeGreaterThan(400);
});

test('beside a channel that answers, calls that a dead one failed go on to it, however many they are', async () => {
  const fails = async (afterMs: number) => {
    call = silentChannels();
    call.health.succeeded({ id: 2, keyId: 0 }, 'm', Date.now());
    await pass(afterMs);
    const { ended } = call.begin(2, { budget: new ShareWindow(0), retries: 1, haste: undefined });
    await pass(1);
    at(0).fail(upstreamFailed('gone'));
    await pass(1);
    call.asked[1]?.answer('two');
    return ended;
  };
  expect([await fails(1000), await fails(10_000)]).toEqual(['two', 'upstream_failed']);
});

test('a single failing call gets all its retries', async () => {
  const ask = vi.fn<Tries<string, Chosen>['ask']>(() => Promise.reject(upstreamFailed('gone')));
  await call.begin(20, { budget: new ShareWindow(20), retries: 10, ask, haste: undefined }).ended;
  expect(ask).toHaveBeenCalledTimes(11);
  expect(call.book.isOverBudget).toBeUndefined();
});

test('a key that is refused for good gets no further call, also until that is stored', async () => {
  call.options.now = { ...initialOptions, AutomaticDisableChannelEnabled: true };
  const { ended } = call.begin(1, {
    choose: ({ keys }) => ({ ...decisionOf(1, 1), channel: channelOf(1, { keyId: 7 + keys.size }) }),
  });
  await pass(1);
  const upstream = { status: 403, message: 'Permission denied' };
  at(0).fail(new AppError('upstream_failed', 'no', { upstream }));
  await pass(1);
  at(1).answer('by the other key');
  expect(await ended).toBe('by the other key');
  const cools = (keyId: number, model: string) => call.health.isCooling(1, keyId, model, Date.now());
  expect([cools(7, 'm'), cools(7, 'another'), cools(8, 'm')]).toEqual([true, true, false]);
});

test('a refused key switches its channel off as is wanted now, and means nothing once the channel has another key or address', async () => {
  const on = { ...initialOptions, AutomaticDisableChannelEnabled: true };
  const before = channelOf(1, { id: 1, autoDisable: true });
  const decided = { ...decisionOf(1, 1), channel: before };
  const toldOf = async (now: Partial<Channel> | undefined, options = on): Promise<readonly string[]> => {
    call = silentChannels();
    call.options.now = on;
    const { ended } = call.begin(1, {
      options: on,
      choose: ({ channels }) => (channels.size > 0 ? decisionOf(2, 1) : decided),
    });
    await pass(1);
    call.options.now = options;
    if (now !== undefined) call.now.set(1, { ...before, ...now });
    at(0).fail(new AppError('upstream_failed', 'x', { upstream: { status: 401, message: 'bad key' } }));
    await ended;
    return call.told;
  };
  const same = { name: 'renamed', key: new Secret(before.key.reveal()) };
  expect(await toldOf(same)).toEqual(['refused 1', 'off 1']);
  expect(await toldOf({ autoDisable: false })).toEqual(['refused 1']);
  expect(await toldOf(same, { ...on, AutomaticDisableChannelEnabled: false })).toEqual(['refused 1']);
  for (const now of [{ key: new Secret('sk-new') }, { baseUrl: 'https://new.example' }, undefined])
    expect(await toldOf(now)).toEqual([]);
});
