import { expect, test } from 'vitest';
import { channelRowOf } from '#core/channel/testing/channel.ts';
import { ask, routingOf } from '#core/channel/testing/selecting.ts';
import { isWorthAnother } from '#core/channel/health/retry.ts';
import { selectChannel } from '#core/channel/selection/select.ts';
import { initialOptions } from '#contract/options.ts';
import { AppError } from '#core/error.ts';
import { ChannelHealth } from './health/channel-health.ts';
import { doubtOf } from './health/doubt.ts';
import { TriesLeft } from './tries-left.ts';

/** So few calls that no channel fails five of them within a minute. */

const MINUTE_MS = 60_000;
const of = (status: number) => new AppError('upstream_failed', 'x', { upstream: { status, message: 'x' } });

/** Calls at a site as it is fresh, where nothing is retried, of which all but the last channels are dead. */
const site = (channels: number, dead: number, error: AppError, tookMs: number) => {
  const health = new ChannelHealth(() => 0);
  const routing = routingOf(...Array.from({ length: channels }, (_, at) => channelRowOf(at + 1)));
  const options = { ...initialOptions, RetryTimes: 0 };
  const broken = new Set(Array.from({ length: dead }, (_, at) => at + 1));
  let nowMs = 0;
  /** @returns the channels that it met, and whether it was answered */
  const call = (dice: number) => {
    const tried = { channels: new Set<number>(), keys: new Set<number>() };
    const left = new TriesLeft({ isFree: true, canRepeat: true, options });
    for (;;) {
      const hasTried = tried.channels.size > 0;
      const { channel } = selectChannel(
        routing,
        ask({
          tried,
          dice,
          isCooling: (id, keyId) => health.isCooling(id, keyId, 'm', nowMs, 1),
          isDoubtful: doubtOf(health, { model: 'm', nowMs, userId: 1, hasTried, canRepeat: true }),
        }),
      );
      const id = channel?.id ?? 0;
      const seat = { id, keyId: 0, models: ['m'] };
      const startedMs = nowMs;
      const isProbe = health.chosen(seat, 'm', nowMs, 1);
      if (!broken.has(id)) {
        health.succeeded(seat, 'm', nowMs);
        return { met: [...tried.channels], isAnswered: id !== 0 };
      }
      nowMs += tookMs;
      health.failed(seat, 'm', { error, startedMs, nowMs, userId: 1 });
      tried.channels.add(id);
      const isOver = left.take(error, { mayBeOfKey: false, tookMs, isProbe }) === undefined;
      if (isOver || !isWorthAnother(error, { canRepeat: true }))
        return { met: [...tried.channels], isAnswered: false };
    }
  };
  let dice = 0.5;
  /** As many minutes of five calls each. */
  const minutes = (count: number) =>
    Array.from({ length: count * 5 }, () => {
      nowMs += MINUTE_MS / 5;
      dice = (dice * 997 + 0.123) % 1;
      return call(dice);
    });
  return { broken, minutes };
};
type Calls = ReturnType<ReturnType<typeof site>['minutes']>;
const share = (calls: Calls, is: (call: Calls[number]) => boolean): number =>
  calls.filter(is).length / calls.length;

const hang = new AppError('upstream_timeout', 'x');
const refused = new AppError('upstream_failed', 'x', { isUnsent: true });

test.each([
  ['an error that is not retried', of(500), 100],
  ['a model that is not there', of(404), 100],
  ['a refused connection', refused, 5],
  ['an overload', of(529), 100],
  ['a hang of a minute', hang, MINUTE_MS],
])('where 15 of 20 channels are dead by %s, few calls meet one, and fewer fail', (_, error, tookMs) => {
  const { minutes } = site(20, 15, error, tookMs);
  // Each has to show it once or twice.
  minutes(60);
  const calls = minutes(60);
  expect(share(calls, ({ met }) => met.length > 0)).toBeLessThan(0.12);
  // One whose error is not retried is told once more before it is known.
  expect(share(calls, ({ isAnswered }) => !isAnswered)).toBeLessThan(0.01);
});

test('a channel that works again has its share within half an hour of five calls a minute', () => {
  const { broken, minutes } = site(3, 1, of(500), 100);
  minutes(60);
  broken.clear();
  minutes(30);
  broken.add(1);
  // What it gets now, it is met with.
  expect(minutes(2).some(({ met }) => met.length > 0)).toBe(true);
});

test('a single failure does not take a channel its calls', () => {
  const { broken, minutes } = site(2, 1, of(500), 100);
  let met = 0;
  while (met === 0) met = minutes(1).filter((call) => call.met.length > 0).length;
  broken.clear();
  broken.add(2);
  // The first is drawn again although it has failed once, and so the second does not get all calls.
  expect(share(minutes(10), ({ met: dead }) => dead.length > 0)).toBeLessThan(0.5);
});
