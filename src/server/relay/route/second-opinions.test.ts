import { expect, it } from 'vitest';
import { channelOf } from '#core/channel/testing/channel.ts';
import { AppError } from '#core/error.ts';
import { silentChannels } from '../testing/silent-channels.ts';

/** A refusal may be the channel's fault: who is asked about it, and what the caller is told. */

const [ALICE, BOB] = [1, 2];
const MODEL = 'm';
const refusal = (status: number) =>
  new AppError('invalid_request', 'no', { upstream: { status, message: 'no' } });
const overloaded = new AppError('unavailable', 'busy', { upstream: { status: 503, message: 'busy' } });

type Site = ReturnType<typeof silentChannels>;
type Wish = Parameters<Site['begin']>[1];

/** Sends a call to the first of two channels, which refuses it. @returns how it ended, and who was asked */
const refusedAt = async (site: Site, error: AppError, wish: Wish, second: AppError | string) => {
  const { ended } = site.begin(2, {
    userId: ALICE,
    ...wish,
    ask: async ({ destination }) => {
      if (destination.channel.id === 1) throw error;
      if (second instanceof AppError) throw second;
      return second;
    },
  });
  const outcome = await ended;
  return { outcome, asked: site.book.attempts.map(({ channelId }) => channelId) };
};

it.each([400, 404, 409, 422])(
  'a call that must not be made twice is not lost by a refusal: %i',
  async (status) => {
    const wish = { canRepeat: false };
    expect(await refusedAt(silentChannels(), refusal(status), wish, 'done')).toEqual({
      outcome: 'done',
      asked: [1, 2],
    });
  },
);

it('a task is asked of another channel although its upstream says that no other will take it', async () => {
  const judge = () => ({ another: false, disable: undefined });
  const { outcome } = await refusedAt(silentChannels(), refusal(400), { canRepeat: false, judge }, 'done');
  expect(outcome).toBe('done');
});

it('what may have begun, or acted, before it was refused is not sent again', async () => {
  const begun = await refusedAt(silentChannels(), refusal(0), { canRepeat: false }, 'done');
  expect(begun).toEqual({ outcome: 'invalid_request', asked: [1] });
  const acting = { canRepeat: false, mayHaveActed: true };
  const acted = await refusedAt(silentChannels(), refusal(400), acting, 'done');
  expect(acted).toEqual({ outcome: 'invalid_request', asked: [1] });
});

it('a channel that keeps refusing what cannot be sent again is left by its caller, by others once they saw it, too', async () => {
  const site = silentChannels();
  const leaves = (userId: number) => site.health.keepsFailing(1, MODEL, Date.now(), userId);
  const acting = { canRepeat: false, mayHaveActed: true };
  for (const _ of [1, 2]) await refusedAt(site, refusal(400), acting, 'done');
  expect([leaves(ALICE), leaves(BOB)]).toEqual([true, false]);
  await refusedAt(site, refusal(400), { ...acting, userId: BOB }, 'done');
  expect(leaves(BOB)).toBe(true);
});

it('the caller is told of a refusal, not how the channel failed that was asked about it', async () => {
  expect(await refusedAt(silentChannels(), refusal(400), {}, overloaded)).toEqual({
    outcome: 'invalid_request',
    asked: [1, 2],
  });
});

it('a refusal of a channel that is known to fail is not worth telling', async () => {
  const site = silentChannels();
  for (const _ of [1, 2]) await refusedAt(site, refusal(400), {}, 'done');
  expect((await refusedAt(site, refusal(400), {}, overloaded)).outcome).toBe('unavailable');
});

it.each([
  [404, [1, 2]],
  [400, [1, 1, 2]],
])(
  'a key that lacks the model is found out while others of its channel are answered: %i',
  async (status, asked) => {
    const site = silentChannels();
    const seen: number[] = [];
    const call = async () => {
      const { ended } = site.begin(1, {
        userId: ALICE,
        choose: ({ channels, keys }) => ({
          channel: channels.has(7) ? undefined : channelOf(1, { id: 7, keyId: keys.has(1) ? 2 : 1 }),
          group: 'default',
          coolingTaken: false,
          leftOut: [],
        }),
        ask: async ({ destination }) => {
          seen.push(destination.channel.keyId);
          if (destination.channel.keyId === 1) throw refusal(status);
          return 'done';
        },
      });
      return ended;
    };
    // Others of its channel are answered all the time.
    const begun = Date.now();
    site.health.succeeded({ id: 7, keyId: 2 }, MODEL, begun);
    const outcomes: string[] = [];
    while (outcomes.at(-1) !== 'done') outcomes.push(await call());
    expect(seen).toEqual(asked);
    expect(site.health.keepsFailing(7, MODEL, Date.now(), ALICE)).toBe(false);
  },
);
