import { beforeEach, expect, test, vi } from 'vitest';
import { initialOptions } from '#contract/options.ts';
import { channelOf } from '#core/channel/testing/channel.ts';
import type { Decision } from '#core/channel/select.ts';
import { ShareWindow } from '#core/channel/share-window.ts';
import { AppError, upstreamFailed } from '#core/error.ts';
import { newTryBook, type TryBook, type TryDeps } from './attempt-notes.ts';
import { ChannelHealth } from './channel-health.ts';
import { KeyUses } from './key-uses.ts';
import { type Tries, tryChannels } from './try-channels.ts';
import type { LiveAttempt } from '../live-attempt.ts';
import type { Chosen } from '../trial.ts';

/** What the loop does with channels that are silent. Each asked channel answers, or fails, when the test says so. */

interface Asked {
  readonly attempt: LiveAttempt<Chosen>;
  readonly answer: (value: string) => void;
  readonly fail: (error: AppError) => void;
}

const DEADLINE_MS = 100;
const deps: TryDeps = {
  clock: { now: Date.now, monotonic: Date.now },
  channels: { autoDisable: () => undefined, seen: () => undefined, soldBelowCost: () => undefined },
  log: { info: () => undefined, warn: () => undefined, error: () => undefined },
  metrics: { attemptFailed: () => undefined },
  health: new ChannelHealth(),
  keyUses: new KeyUses({ now: Date.now, monotonic: Date.now }),
};

let asked: Asked[];
let dropped: [number, string | undefined][];
let book: TryBook<Chosen>;

beforeEach(() => {
  vi.useFakeTimers();
  asked = [];
  dropped = [];
  book = newTryBook();
});

const decisionOf = (id: number, open: number): Decision => ({
  channel: id > open ? undefined : channelOf(1, { id }),
  group: 'default',
  coolingTaken: false,
  leftOut: [],
});

/** A call with so many open channels, asked in the order of their ids. */
const begin = (
  open: number,
  more: Partial<Tries<string, Chosen>> & { readonly hedges?: boolean; readonly retries?: number } = {},
) => {
  const { hedges = false, retries = 0, ...rest } = more;
  const outcome = tryChannels<string, Chosen>(deps, {
    book,
    options: { ...initialOptions, RetryTimes: retries },
    model: 'm',
    requestId: 'r',
    userAgent: undefined,
    isFree: true,
    canRepeat: true,
    haste: { deadlineMs: DEADLINE_MS, hedges, takesHedge: () => true, answered: () => undefined },
    choose: ({ channels }) => decisionOf(channels.size + 1, open),
    nobody: () => new AppError('no_channel', 'nobody'),
    begin: (chosen) => chosen,
    ask: (attempt) =>
      new Promise((answer, fail) => {
        attempt.abort.signal.addEventListener('abort', () => fail(attempt.abort.signal.reason as Error));
        asked.push({ attempt, answer, fail });
      }),
    drop: ({ trial }, answer) => dropped.push([trial.channel.id, answer]),
    status: 200,
    ...rest,
  });
  const ended = outcome.then(
    (value) => value,
    (error: unknown) => (error instanceof AppError ? error.code : 'another error'),
  );
  return { ended };
};
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);
const log = () => book.attempts.map(({ channelId, status, race }) => [channelId, status, race]);
const at = (index: number): Asked => {
  const one = asked[index];
  if (one === undefined) throw new Error(`channel ${index + 1} was not asked`);
  return one;
};

test('a channel that is silent beyond the deadline is stopped, and the next one answers', async () => {
  const { ended } = begin(3);
  await pass(DEADLINE_MS + 50);
  expect(asked.length).toBe(2);
  expect(at(0).attempt.abort.signal.aborted).toBe(true);
  at(1).answer('two');
  expect(await ended).toBe('two');
  expect(log()).toEqual([
    [1, 0, undefined],
    [2, 200, undefined],
  ]);
  expect(book.attempts[0]?.error).toContain('no event within 0.1 s');
  expect([book.attempt?.trial.channel.id, book.running, dropped]).toEqual([2, [], [[1, undefined]]]);
});

test('the last channel left gets all the time it needs', async () => {
  const { ended } = begin(1);
  await pass(DEADLINE_MS * 100);
  expect(asked.length).toBe(1);
  expect(at(0).attempt.abort.signal.aborted).toBe(false);
  at(0).answer('late');
  expect(await ended).toBe('late');
});

test('a channel that cools down is no reason to leave one that is only slow', async () => {
  const { ended } = begin(2, {
    choose: ({ channels }) => ({ ...decisionOf(channels.size + 1, 2), coolingTaken: channels.size > 0 }),
  });
  await pass(DEADLINE_MS * 10);
  expect(asked.length).toBe(1);
  at(0).answer('one');
  expect(await ended).toBe('one');
});

test('where a call may go to one channel only, there is no haste', async () => {
  const { ended } = begin(2, { isFree: false });
  await pass(DEADLINE_MS * 10);
  expect(asked.length).toBe(1);
  at(0).answer('one');
  expect(await ended).toBe('one');
});

test('at most six channels are asked because others are silent', async () => {
  const { ended } = begin(100);
  await pass(DEADLINE_MS * 100);
  expect(asked.length).toBe(6);
  at(5).answer('six');
  expect(await ended).toBe('six');
});

test('in a race the first answer wins: the other attempt is stopped and dropped once, whatever comes of it later', async () => {
  const { ended } = begin(3, { hedges: true });
  await pass(DEADLINE_MS + 50);
  expect(asked.length).toBe(2);
  expect(at(0).attempt.abort.signal.aborted).toBe(false);
  at(1).answer('two');
  expect(await ended).toBe('two');
  expect(at(0).attempt.abort.signal.aborted).toBe(true);
  expect(at(1).attempt.abort.signal.aborted).toBe(false);
  at(0).answer('one');
  await pass(DEADLINE_MS * 10);
  expect(dropped).toEqual([[1, undefined]]);
  expect(log()).toEqual([
    [1, 0, 'lost'],
    [2, 200, 'won'],
  ]);
  expect(book.attempt?.trial.channel.id).toBe(2);
});

test('of two answers that come in the same moment one is taken and the other dropped', async () => {
  const { ended } = begin(2, { hedges: true });
  await pass(DEADLINE_MS + 50);
  at(0).answer('one');
  at(1).answer('two');
  expect(await ended).toBe('one');
  await pass(1);
  expect(dropped).toEqual([[2, 'two']]);
});

test('a race whose first channel fails is decided by the second', async () => {
  const { ended } = begin(2, { hedges: true });
  await pass(DEADLINE_MS + 50);
  at(0).fail(upstreamFailed('gone'));
  await pass(1);
  at(1).answer('two');
  expect(await ended).toBe('two');
  expect(log()).toEqual([
    [1, 0, 'lost'],
    [2, 200, 'won'],
  ]);
  expect(dropped).toEqual([]);
});

test('when both fail the call fails with the last error, or is tried again where that is allowed', async () => {
  const { ended } = begin(2, { hedges: true });
  await pass(DEADLINE_MS + 50);
  at(0).fail(upstreamFailed('gone'));
  at(1).fail(new AppError('rate_limited', 'busy'));
  expect(await ended).toBe('rate_limited');
  expect(book.running).toEqual([]);

  asked = [];
  book = newTryBook();
  const again = begin(3, { hedges: true, retries: 1 });
  await pass(DEADLINE_MS + 50);
  at(0).fail(upstreamFailed('gone'));
  at(1).fail(upstreamFailed('gone'));
  await pass(1);
  at(2).answer('three');
  expect(await again.ended).toBe('three');
});

test('an error that every channel would give ends the race at once', async () => {
  const { ended } = begin(2, { hedges: true });
  await pass(DEADLINE_MS + 50);
  const upstream = { status: 400, message: 'no such tool' };
  at(0).fail(new AppError('invalid_request', 'no such tool', { upstream }));
  expect(await ended).toBe('invalid_request');
  await pass(1);
  expect(at(1).attempt.abort.signal.aborted).toBe(true);
  expect(dropped).toEqual([[2, undefined]]);
});

test('never more than two work on a call: where both are silent, the older one is left', async () => {
  const { ended } = begin(4, { hedges: true });
  await pass(DEADLINE_MS * 2 + 50);
  expect(asked.map(({ attempt }) => attempt.abort.signal.aborted)).toEqual([true, false, false]);
  expect(book.running.length).toBe(2);
  at(1).answer('two');
  expect(await ended).toBe('two');
});

test('without a budget for races the silent channel is left instead', async () => {
  const { ended } = begin(2, {
    haste: { deadlineMs: DEADLINE_MS, hedges: true, takesHedge: () => false, answered: () => undefined },
  });
  await pass(DEADLINE_MS + 50);
  expect(at(0).attempt.abort.signal.aborted).toBe(true);
  at(1).answer('two');
  expect(await ended).toBe('two');
});

test('a caller who leaves in a race stops both, and nothing begins any more', async () => {
  const left = new AppError('client_closed', 'the caller went away');
  const { ended } = begin(4, { hedges: true });
  await pass(DEADLINE_MS + 50);
  Object.assign(book, { stopped: left });
  for (const attempt of book.running) attempt.abort.abort();
  expect(await ended).toBe('client_closed');
  await pass(DEADLINE_MS * 10);
  expect(asked.length).toBe(2);
  expect(dropped.map(([id]) => id)).toEqual([2]);
  expect(asked.map(({ attempt }) => attempt.givenUp)).toEqual([undefined, undefined]);
});

test('with everything failing there are at most 1.2 attempts a call', async () => {
  const budget = new ShareWindow(20);
  const ask = vi.fn<Tries<string, Chosen>['ask']>(() => Promise.reject(upstreamFailed('gone')));
  let refused = 0;
  for (let call = 0; call < 500; call += 1) {
    book = newTryBook();
    await begin(10, { budget, retries: 3, ask, haste: undefined }).ended;
    if (book.isOverBudget === true) refused += 1;
  }
  expect(ask).toHaveBeenCalledTimes(600);
  expect(refused).toBeGreaterThan(400);
});

test('a lone failure gets all its retries', async () => {
  const ask = vi.fn<Tries<string, Chosen>['ask']>(() => Promise.reject(upstreamFailed('gone')));
  await begin(20, { budget: new ShareWindow(20), retries: 10, ask, haste: undefined }).ended;
  expect(ask).toHaveBeenCalledTimes(11);
  expect(book.isOverBudget).toBeUndefined();
});
