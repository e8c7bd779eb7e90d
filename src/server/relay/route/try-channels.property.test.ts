import fc from 'fast-check';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { AppError } from '#core/error.ts';
import { upstreamFailed } from '../testing/upstream-failed.ts';
import type { LiveAttempt } from '../live-attempt.ts';
import { DEADLINE_MS, silentChannels } from '../testing/silent-channels.ts';
import type { Chosen } from '../destination.ts';

/** The loop that tries channels, with any mixture of channels that answer, fail, refuse and hang. */

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const found = <Value>(value: Value | undefined): Value => {
  if (value === undefined) throw new Error('a channel was asked that does not exist');
  return value;
};

/** How many channels that gave no answer a call leaves on a fresh server, beside its retries. */
const SILENCES = 2;

/** What a channel does once it is asked, and when. */
const behaviour = fc.record({
  afterMs: fc.integer({ min: 0, max: 5 * DEADLINE_MS }),
  does: fc.constantFrom('answers', 'fails', 'refuses', 'breaks off', 'hangs'),
  hearsAbort: fc.boolean(),
});

test('whatever channels do, a call ends once, two work on it at most, and every other attempt is stopped', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(behaviour, { minLength: 1, maxLength: 8 }),
      fc.boolean(),
      fc.nat(3),
      fc.option(fc.integer({ min: 0, max: 6 * DEADLINE_MS })),
      async (channels, hedges, retries, leavesAtMs) => {
        const { book, dropped, begin } = silentChannels();
        const attempts: LiveAttempt<Chosen>[] = [];
        let mostRunning = 0;
        const { ended } = begin(channels.length, {
          hedges,
          retries,
          ask: (attempt) =>
            new Promise((answer, fail) => {
              attempts.push(attempt);
              mostRunning = Math.max(mostRunning, book.running.length);
              const { afterMs, does, hearsAbort } = found(channels[attempts.length - 1]);
              const { signal } = attempt.abort;
              // One that does not hear it still ends some day.
              signal.addEventListener('abort', () =>
                setTimeout(() => fail(upstreamFailed('stopped')), hearsAbort ? 0 : DEADLINE_MS),
              );
              if (does === 'hangs') return;
              if (does === 'breaks off')
                return void setTimeout(() => fail(new AppError('upstream_failed', 'lost')), afterMs);
              const upstream = { status: does === 'refuses' ? 400 : 500, message: 'no' };
              setTimeout(
                () =>
                  does === 'answers'
                    ? answer(`by ${attempt.destination.channel.id}`)
                    : fail(new AppError('upstream_failed', 'no', { upstream })),
                afterMs,
              );
            }),
        });
        if (leavesAtMs !== null)
          setTimeout(() => {
            Object.assign(book, { stopped: new AppError('client_closed', 'gone') });
            for (const attempt of [...book.running, book.attempt]) attempt?.abort.abort();
          }, leavesAtMs);
        // The last channel left may hang for ever; its own limits, which are not here, end it.
        const patience = new Promise<undefined>((resolve) =>
          setTimeout(() => resolve(undefined), 100 * DEADLINE_MS),
        );
        const outcome = Promise.race([ended, patience]);
        await vi.advanceTimersByTimeAsync(200 * DEADLINE_MS);
        const value = await outcome;
        const ids = attempts.map(({ destination }) => destination.channel.id);
        expect(new Set(ids).size).toBe(ids.length);
        expect(mostRunning).toBeLessThanOrEqual(hedges ? 2 : 1);
        expect(attempts.length).toBeLessThanOrEqual(1 + SILENCES + retries + 5);
        // One that hangs is still waited for; what ended has nothing left that runs.
        expect(book.running.length > 0).toBe(value === undefined);
        expect(book.attempts.length).toBe(attempts.length - book.running.length);
        const winners = book.attempts.filter(({ status }) => status === 200);
        const last = book.attempts.at(-1);
        expect(winners).toEqual(value?.startsWith('by ') === true ? [last] : []);
        const answered = winners.length === 1 ? [`by ${last?.channelId}`, last?.channelId, undefined] : [];
        expect(
          winners.length === 1 ? [value, book.attempt?.destination.channel.id, book.failure] : [],
        ).toEqual(answered);
        // Whoever neither answered nor failed by itself was stopped, and dropped once.
        const stopped = attempts.filter(({ givenUp }) => givenUp !== undefined);
        for (const { abort, destination } of stopped) {
          expect(abort.signal.aborted).toBe(true);
          expect(dropped.filter(([id]) => id === destination.channel.id).length).toBe(1);
        }
        expect(new Set(dropped.map(([id]) => id)).size).toBe(dropped.length);
      },
    ),
    { numRuns: 300 },
  );
});
