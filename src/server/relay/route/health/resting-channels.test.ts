import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Channel } from '#core/channel/channel.ts';
import { channelOf, poolKeyOf } from '#core/channel/testing/channel.ts';
import { AppError } from '#core/error.ts';
import { ChannelHealth } from './channel-health.ts';

const failure = (status: number): AppError =>
  new AppError('upstream_failed', 'x', { upstream: { status, message: 'x' } });
const NO_LIMITS = { callsPerMinute: 0, tokensPerMinute: 0, concurrent: 0, callsPerDay: 0 };
const STATE = { status: 'enabled', reason: '', untilMs: 0, rounds: 0 } as const;

/** A channel of one key, where `keys` is 0, or of several. */
const channelWith = (id: number, keys: number): Channel => {
  const pool = Array.from({ length: keys }, (_, at) =>
    poolKeyOf(id * 10 + at + 1, { channelId: id, state: STATE, limits: NO_LIMITS }),
  );
  return { ...channelOf(1), id, pool };
};

const seats = ({ id, pool }: Channel) =>
  pool.length === 0 ? [{ id, keyId: 0 }] : pool.map((key) => ({ id, keyId: key.id }));

const awake = (health: ChannelHealth, channels: readonly Channel[], nowMs: number) =>
  health.resting.awakeAmong({ channels, model: 'm', nowMs, areAsleep: (wakeMs) => wakeMs === Infinity });

describe('the channels that may be open', () => {
  test('are all but those that cool as a whole or in each key, whatever happens to them', () => {
    const step = fc.record({
      act: fc.constantFrom('failed', 'failed', 'failed', 'silent', 'succeeded', 'chosen', 'left', 'pass'),
      status: fc.constantFrom(429, 429, 403, 500, 502),
      model: fc.constantFrom('m', 'm', 'm', 'other'),
      place: fc.nat(),
      passMs: fc.constantFrom(0, 1, 400, 4000, 30_000),
    });
    const pools = fc.array(fc.constantFrom(0, 0, 1, 2, 3), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(pools, fc.array(step, { maxLength: 120 }), (sizes, steps) => {
        const channels = sizes.map((keys, at) => channelWith(at + 1, keys));
        const all = channels.flatMap(seats);
        let nowMs = 1_000_000;
        const health = new ChannelHealth(() => nowMs);
        for (const { act, status, model, place, passMs } of steps) {
          const seat = all[place % all.length]!;
          nowMs += passMs;
          if (act === 'failed')
            health.failed(seat, model, { error: failure(status), startedMs: nowMs - 10, nowMs });
          if (act === 'silent')
            health.failed(seat, model, {
              error: new AppError('upstream_timeout', 'late'),
              startedMs: nowMs - 10,
              nowMs,
            });
          if (act === 'succeeded') health.succeeded(seat, model, nowMs);
          if (act === 'chosen') health.chosen(seat, model, nowMs);
          if (act === 'left') health.left(seat, model, nowMs);
          const open = channels.filter((channel) =>
            seats(channel).some(({ id, keyId }) => !health.wouldCool(id, keyId, 'm', nowMs)),
          );
          expect(awake(health, channels, nowMs).map(({ id }) => id)).toEqual(open.map(({ id }) => id));
        }
      }),
      { numRuns: 300 },
    );
  });

  test('are the same list while none cools, and are found anew after more changes than are remembered', () => {
    const health = new ChannelHealth(() => 0);
    const channels = Array.from({ length: 20 }, (_, at) => channelWith(at + 1, 0));
    expect(awake(health, channels, 1000)).toBe(channels);
    for (let round = 0; round < 2000; round += 1)
      health.failed({ id: 500 + (round % 7), keyId: 0 }, 'm', {
        error: failure(500),
        startedMs: 0,
        nowMs: 1000,
      });
    for (let at = 0; at < 5; at += 1)
      health.failed({ id: 3, keyId: 0 }, 'm', { error: failure(500), startedMs: 0, nowMs: 1000 });
    for (let round = 0; round < 2000; round += 1)
      health.failed({ id: 500 + (round % 7), keyId: 0 }, 'm', {
        error: failure(500),
        startedMs: 0,
        nowMs: 1000,
      });
    expect(awake(health, channels, 1000)).toHaveLength(19);
    expect(awake(health, channels, 11_000)).toBe(channels);
  });

  test('are not computed again when one that already cools fails again', () => {
    const health = new ChannelHealth(() => 0);
    const channels = [channelWith(1, 3), channelWith(2, 3), channelWith(3, 0)];
    const refuse = (nowMs: number) => {
      for (const { id, keyId } of channels.slice(0, 2).flatMap(seats)) {
        health.chosen({ id, keyId }, 'm', nowMs);
        health.failed({ id, keyId }, 'm', { error: failure(429), startedMs: nowMs - 10, nowMs });
      }
    };
    refuse(1000);
    const before = awake(health, channels, 1000);
    expect(before).toEqual([channels[2]]);
    refuse(4000);
    expect(awake(health, channels, 4000)).toBe(before);
    expect(awake(health, channels, 8999)).toEqual(before);
    expect(awake(health, channels, 9000)).toBe(channels);
  });

  test('are again those that 400 calls have passed over, each counted once, before its cooldown of 20 seconds is over', () => {
    const health = new ChannelHealth(() => 0);
    const channels = [channelWith(1, 0), channelWith(2, 0)];
    const seat = { id: 1, keyId: 0 };
    const fail = (nowMs: number) => health.failed(seat, 'm', { error: failure(500), startedMs: 0, nowMs });
    const openAfter = (calls: number, nowMs: number): number => {
      for (let call = 1; call < calls; call += 1) awake(health, channels, nowMs);
      return awake(health, channels, nowMs).length;
    };
    for (let at = 0; at < 5; at += 1) fail(1000);
    health.chosen(seat, 'm', 11_000);
    fail(11_000);
    expect([openAfter(200, 12_000), openAfter(199, 13_000)]).toEqual([1, 1]);
    expect([openAfter(1, 21_000), openAfter(1, 22_000)]).toEqual([1, 2]);
  });

  test('are all while a waiting key may be due', () => {
    const health = new ChannelHealth(() => 0);
    const channels = [channelWith(1, 0), channelWith(2, 0)];
    for (let at = 0; at < 5; at += 1)
      health.failed({ id: 1, keyId: 0 }, 'm', { error: failure(500), startedMs: 0, nowMs: 1000 });
    const ask = { channels, model: 'm', nowMs: 1000 };
    expect(health.resting.awakeAmong({ ...ask, areAsleep: () => true })).toHaveLength(1);
    expect(health.resting.awakeAmong({ ...ask, areAsleep: () => false })).toBe(channels);
  });
});
