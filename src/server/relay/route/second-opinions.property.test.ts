import fc from 'fast-check';
import { expect, test } from 'vitest';
import { channelRowOf } from '#core/channel/testing/channel.ts';
import { selectChannel } from '#core/channel/selection/select.ts';
import { ask, routingOf } from '#core/channel/testing/selecting.ts';
import { AppError } from '#core/error.ts';
import { doubtOf } from './health/doubt.ts';
import { newTryBook } from './attempt-notes.ts';
import { silentChannels } from '../testing/silent-channels.ts';
import type { Chosen } from '../destination.ts';

/** Channels that refuse every call as its caller's mistake, among channels that answer, and calls that cannot be done. */

const [CAREFUL, CARELESS] = [1, 2];
const MODEL = 'm';

const refusal = fc.constantFrom(
  ...[400, 404, 409, 413, 422].map(
    (status) => new AppError('invalid_request', 'no', { upstream: { status, message: 'no' } }),
  ),
);
const channel = fc.record({
  priority: fc.integer({ min: 0, max: 2 }),
  weight: fc.nat(3),
  refusesAll: fc.option(refusal),
});
const call = fc.record({ canBeDone: fc.boolean(), dice: fc.double({ min: 0, max: 0.999, noNaN: true }) });

/** Who answers, and who was asked. */
const fleet = (channels: readonly { readonly priority: number; readonly weight: number }[]) => {
  const { begin, health } = silentChannels();
  const routing = routingOf(...channels.map((row, at) => channelRowOf(at + 1, row)));
  return {
    health,
    /** @param refuses the error of a channel, if it refuses the call */
    send: async (userId: number, dice: number, refuses: (channelId: number) => AppError | undefined) => {
      const book = newTryBook<Chosen>();
      const { ended } = begin(channels.length, {
        book,
        userId,
        choose: (tried) => {
          const nowMs = Date.now();
          const hasTried = tried.channels.size > 0;
          return selectChannel(
            routing,
            ask({
              tried,
              dice,
              isCooling: (id, keyId) => health.isCooling(id, keyId, MODEL, nowMs, userId),
              isDoubtful: doubtOf(health, { model: MODEL, nowMs, userId, hasTried, canRepeat: true }),
            }),
          );
        },
        ask: async ({ destination }) => {
          const error = refuses(destination.channel.id);
          if (error !== undefined) throw error;
          return 'answered';
        },
      });
      const outcome = await ended;
      return { outcome, asked: book.attempts.map(({ channelId }) => channelId) };
    },
  };
};

test('while one channel takes calls, others that refuse all fail no call that can be done', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(channel, { minLength: 2, maxLength: 8 }),
      fc.array(call, { minLength: 1, maxLength: 40 }),
      fc.nat(7),
      refusal,
      async (channels, calls, sound, mistake) => {
        const soundId = (sound % channels.length) + 1;
        const { send, health } = fleet(channels);
        for (const { canBeDone, dice } of calls) {
          const { outcome, asked } = await send(canBeDone ? CAREFUL : CARELESS, dice, (id) => {
            const all = id === soundId ? null : (channels[id - 1]?.refusesAll ?? null);
            return all ?? (canBeDone ? undefined : mistake);
          });
          expect(outcome).toBe(canBeDone ? 'answered' : 'invalid_request');
          expect(new Set(asked).size).toBe(asked.length);
        }
        // What one user sends to be refused takes a channel that answers from nobody else.
        expect(health.wouldCool(soundId, 0, MODEL, Date.now(), CAREFUL)).toBe(false);
      },
    ),
    { numRuns: 60 },
  );
});
