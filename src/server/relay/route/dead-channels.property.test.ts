import fc from 'fast-check';
import { expect, test } from 'vitest';
import { channelRowOf } from '#core/channel/testing/channel.ts';
import { ask, routingOf } from '#core/channel/testing/selecting.ts';
import { selectChannel } from '#core/channel/selection/select.ts';
import { AppError } from '#core/error.ts';
import { ChannelHealth } from './health/channel-health.ts';

/** Channels die one after another, in ways that are told from one another by nothing but that they fail. */

const MINUTE_MS = 60_000;
const deaths = [
  new AppError('unavailable', 'x', { upstream: { status: 529, message: 'x' } }),
  new AppError('upstream_failed', 'x', { upstream: { status: 502, message: 'x' } }),
  new AppError('upstream_failed', 'x', { upstream: { status: 403, message: 'x' } }),
  new AppError('upstream_failed', 'x', { upstream: { status: 0, message: 'x', isUnread: true } }),
  new AppError('upstream_failed', 'lost'),
];

const channelOf = fc.record({
  priority: fc.integer({ min: 0, max: 2 }),
  weight: fc.nat(3),
  death: fc.constantFrom(...deaths),
});

test('a call meets one channel that is known to be dead at most, however many are', () => {
  fc.assert(
    fc.property(
      fc.array(channelOf, { minLength: 2, maxLength: 16 }),
      fc.array(
        fc.record({
          afterMs: fc.nat(2 * MINUTE_MS),
          dies: fc.nat(15),
          dice: fc.double({ min: 0, max: 0.999, noNaN: true }),
        }),
        { minLength: 1, maxLength: 60 },
      ),
      fc.nat(15),
      (channels, calls, survivor) => {
        const health = new ChannelHealth(() => 0);
        const routing = routingOf(
          ...channels.map(({ priority, weight }, at) => channelRowOf(at + 1, { priority, weight })),
        );
        const aliveId = (survivor % channels.length) + 1;
        const dead = new Map<number, AppError>();
        /** When each dead channel failed last; what is not in it has not shown yet that it died. */
        const failedAtMs = new Map<number, number>();
        let nowMs = 0;
        for (const { afterMs, dies, dice } of calls) {
          nowMs += afterMs;
          const victim = (dies % channels.length) + 1;
          if (victim !== aliveId) dead.set(victim, channels[victim - 1]?.death ?? deaths[0]!);
          const known = new Set(
            [...failedAtMs].filter(([, ms]) => nowMs - ms < 60 * MINUTE_MS).map(([id]) => id),
          );
          const tried = { channels: new Set<number>(), keys: new Set<number>() };
          const met: number[] = [];
          for (;;) {
            const isFurther = met.length > 0;
            const { channel } = selectChannel(
              routing,
              ask({
                tried,
                dice,
                isCooling: (id, keyId) => health.isCooling(id, keyId, 'm', nowMs),
                isDoubtful: isFurther ? (id, keyId) => health.isDoubtful(id, keyId, 'm', nowMs) : undefined,
              }),
            );
            const id = channel?.id ?? 0;
            const seat = { id, keyId: 0, models: ['m'] };
            health.chosen(seat, 'm', nowMs);
            const error = dead.get(id);
            if (error === undefined) {
              health.succeeded(seat, 'm', nowMs);
              health.completed(seat, 'm', nowMs);
              break;
            }
            health.failed(seat, 'm', { error, startedMs: nowMs, nowMs });
            failedAtMs.set(id, nowMs);
            tried.channels.add(id);
            met.push(id);
          }
          expect(met.filter((id) => known.has(id)).length).toBeLessThanOrEqual(1);
          expect(new Set(met).size).toBe(met.length);
        }
      },
    ),
    { numRuns: 500 },
  );
});
