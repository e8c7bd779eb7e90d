import { describe, expect, test } from 'vitest';
import { AppError } from '#core/error.ts';
import type { News } from '#core/news.ts';
import { ChannelHealth } from './channel-health.ts';

const [ONE, OTHER] = [7, 8];
const seat = { id: 1, keyId: 0, models: ['m'] };
const failed = (status: number) =>
  new AppError('upstream_failed', 'x', { upstream: { status, message: 'x' } });
const lost = new AppError('upstream_failed', 'lost');

/** A relay, and for whom it told others that something cools; 0 is everybody. */
const relay = () => {
  const told: string[] = [];
  const news: News = { tell: (_topic, body) => void told.push(body), hear: () => () => undefined };
  const health = new ChannelHealth(() => 1000, news);
  return {
    health,
    told: () =>
      told
        .map((body) => JSON.parse(body) as { readonly found: string; readonly by: number })
        .flatMap(({ found, by }) => (found === 'cool' ? [by] : [])),
    fails: (error: AppError, userId: number, times = 5) => {
      for (let at = 0; at < times; at++)
        health.failed(seat, 'm', { error, startedMs: 990, nowMs: 1000, userId });
    },
    /** Whose calls avoid the channel. */
    avoids: (nowMs = 1001) => [ONE, OTHER].filter((user) => health.isCooling(1, 0, 'm', nowMs, user)),
  };
};

describe('failures that may be about the call itself', () => {
  test.each([404, 403, 500])('of one user alone cool for that user only: a %i', (status) => {
    const { health, fails, avoids, told } = relay();
    health.succeeded(seat, 'm', 900);
    fails(failed(status), ONE, 50);
    expect([avoids(), told(), avoids(12_000)]).toEqual([[ONE], [ONE], []]);
  });

  test('of a second user, too, cool for all, at once, here and elsewhere', () => {
    const { fails, avoids, told } = relay();
    fails(failed(500), ONE);
    fails(failed(500), OTHER, 1);
    expect([avoids(), told()]).toEqual([
      [ONE, OTHER],
      [ONE, 0],
    ]);
  });

  test('of several users cool for all', () => {
    const { fails, avoids, told } = relay();
    fails(failed(500), ONE, 2);
    fails(failed(500), OTHER, 3);
    expect([avoids(), told()]).toEqual([[ONE, OTHER], [0]]);
  });

  test('start anew with an answer', () => {
    const { health, fails, avoids } = relay();
    fails(failed(500), OTHER, 1);
    health.succeeded(seat, 'm', 1000);
    fails(failed(500), ONE);
    expect(avoids()).toEqual([ONE]);
  });

  test('in the trial of another user cool for all', () => {
    const { health, fails, avoids } = relay();
    fails(failed(500), ONE);
    health.chosen(seat, 'm', 11_001);
    health.failed(seat, 'm', { error: failed(500), startedMs: 11_001, nowMs: 11_002, userId: OTHER });
    expect(avoids(11_003)).toEqual([ONE, OTHER]);
  });
});

describe('failures that cannot be about the call', () => {
  test.each([
    ['an overload', failed(529)],
    ['a gateway with nobody behind it', failed(502)],
    ['a lost connection', lost],
  ])('of one user cool for all: %s', (_, error) => {
    const { fails, avoids, told } = relay();
    fails(error, ONE);
    expect([avoids(), told()]).toEqual([[ONE, OTHER], [0]]);
  });
});

const late = new AppError('upstream_timeout', 'late');

describe('calls that are late while nobody is answered', () => {
  test('of one user alone cool at once, for that user only: on a quiet site a slow prompt takes a channel from nobody', () => {
    const { fails, avoids, told, health } = relay();
    fails(late, ONE, 1);
    expect([avoids(), told()]).toEqual([[ONE], [ONE]]);
    const avoidsLater = (user: number) => health.keepsFailing(1, 'm', 60_000, user);
    expect([ONE, OTHER].map(avoidsLater)).toEqual([true, false]);
  });

  test('of a second user, too, cool for all at once', () => {
    const { fails, avoids, told } = relay();
    fails(late, ONE, 1);
    fails(late, OTHER, 1);
    expect([avoids(), told()]).toEqual([
      [ONE, OTHER],
      [ONE, 0],
    ]);
  });

  test('for a connection cool for all: no prompt was sent', () => {
    const { fails, avoids } = relay();
    fails(new AppError('upstream_timeout', 'late', { isUnsent: true }), ONE, 1);
    expect(avoids()).toEqual([ONE, OTHER]);
  });
});

describe('calls that are late while others are answered', () => {
  /** So many late calls of a user in a minute, each beside a few answers to others. */
  const latePrompts = (
    { health }: ReturnType<typeof relay>,
    userId: number,
    count: number,
    fromMs = 1000,
  ) => {
    for (let at = 0; at < count; at++) {
      const nowMs = fromMs + at * 3000;
      for (let answers = 0; answers < 3; answers++) health.succeeded(seat, 'm', nowMs - 100, nowMs - 200);
      health.failed(seat, 'm', { error: late, startedMs: nowMs - 2000, nowMs, userId });
    }
    return fromMs + count * 3000;
  };

  test('of one user alone cool for that user only: some prompts take longer than a limit', () => {
    const scene = relay();
    const nowMs = latePrompts(scene, ONE, 12);
    expect([scene.avoids(nowMs), scene.told()]).toEqual([[ONE], [ONE]]);
  });

  test('of two users cool for all', () => {
    const scene = relay();
    const nowMs = latePrompts(scene, OTHER, 10, latePrompts(scene, ONE, 2));
    expect(scene.avoids(nowMs)).toEqual([ONE, OTHER]);
  });

  test('of another user, too, cool for all at once', () => {
    const scene = relay();
    const nowMs = latePrompts(scene, ONE, 12);
    latePrompts(scene, OTHER, 1, nowMs);
    expect(scene.avoids(nowMs)).toEqual([ONE, OTHER]);
  });
});
