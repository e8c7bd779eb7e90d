import { expect, it } from 'vitest';
import type { News } from '#core/news.ts';
import { BlamedSeats } from './blamed-seats.ts';

/** Two relays that hear each other at once. */
const relays = (): readonly [BlamedSeats, BlamedSeats] => {
  const listeners: ((body: string) => void)[] = [];
  const newsOf = (at: number): News => ({
    tell: (_topic, body) => listeners.forEach((listener, of) => of !== at && listener(body)),
    hear: (_topic, listener) => {
      listeners[at] = listener;
      return () => undefined;
    },
  });
  return [new BlamedSeats(newsOf(0), () => 5), new BlamedSeats(newsOf(1), () => 5)];
};
const seat = { id: 1, keyId: 0 };

it('a seat is named once it has refused two calls that others answered, wherever they came, until it answers', () => {
  const [one, other] = relays();
  one.refused(seat, 'm', 'no such model', 5);
  expect(other.list(5)).toEqual([]);
  other.refused(seat, 'm', 'no such model', 5);
  const named = {
    channelId: 1,
    keyId: 0,
    model: 'm',
    words: 'no such model',
    calls: 2,
    sinceMs: 5,
    lastMs: 5,
  };
  expect([one.list(5), other.list(5)]).toEqual([[named], [named]]);
  one.answered({ id: 1, keyId: 2 }, 'm');
  one.answered(seat, 'another');
  expect(other.list(5)).toEqual([named]);
  one.answered(seat, 'm');
  expect([one.list(5), other.list(5)]).toEqual([[], []]);
});

it('what is not seen again for six hours is not named', () => {
  const [one] = relays();
  for (const _ of [1, 2]) one.refused(seat, 'm', 'no', 0);
  expect([one.list(21_599_999).length, one.list(21_600_000).length]).toEqual([1, 0]);
});

it('of very many the first are forgotten', () => {
  const [one] = relays();
  for (let id = 1; id <= 1001; id++) for (const _ of [1, 2]) one.refused({ id, keyId: 0 }, 'm', 'no', 0);
  const ids = one.list(1).map(({ channelId }) => channelId);
  expect([ids.length, ids[0], ids.at(-1)]).toEqual([1000, 2, 1001]);
});

it('news that cannot be read are ignored', () => {
  const heard: ((body: string) => void)[] = [];
  const news: News = {
    tell: () => undefined,
    hear: (_, listener) => (heard.push(listener), () => undefined),
  };
  const seats = new BlamedSeats(news, () => 0);
  for (const body of ['', '{', '{}', '{"channelId":-1,"keyId":0,"model":"m","words":"x"}'])
    for (const _ of [1, 2]) heard[0]?.(body);
  expect(seats.list(0)).toEqual([]);
});
