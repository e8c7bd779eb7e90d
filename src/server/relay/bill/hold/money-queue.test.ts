import { afterEach, expect, it, vi } from 'vitest';
import type { Shortage } from '#core/ledger/ledger.ts';
import { MoneyQueue, type QueuePlace } from './money-queue.ts';

const clock = { monotonic: () => performance.now() };

const callerOf = (user: number, token: number) => ({ user: { id: user }, token: { id: token } });
const short = (state: Shortage['state']): Shortage => ({ state, availableUnits: 0, heldUnits: 100 });

const places: (QueuePlace | undefined)[] = [];
afterEach(() => {
  for (const place of places.splice(0)) place?.leave();
  vi.useRealTimers();
});
const joining = (queue: MoneyQueue, user: number, token: number, state: Shortage['state'], runs = false) => {
  const place = queue.join(short(state), callerOf(user, token), () => false, runs ? 'running' : 10_000);
  places.push(place);
  return place;
};

it('a running stream goes before calls that have not begun, but not before other running streams', async () => {
  const queue = new MoneyQueue(clock);
  const order: string[] = [];
  const waits = async (name: string, runs: boolean): Promise<void> => {
    const place = joining(queue, 1, 1, 'user_short', runs);
    if ((await place?.turn(short('user_short'))) === true) order.push(name);
    place?.leave();
  };
  const all = [waits('new', false), waits('newer', false), waits('runs', true), waits('runs too', true)];
  queue.release(callerOf(1, 1));
  await Promise.all(all);
  expect(order).toEqual(['runs', 'runs too', 'new', 'newer']);
});

it('one account does not fill the queue for all others, however many tokens it has', () => {
  const queue = new MoneyQueue(clock);
  const got = Array.from({ length: 5000 }, (_, at) => joining(queue, 1, at, 'token_short'));
  expect(got.filter((place) => place !== undefined)).toHaveLength(256);
  expect(joining(queue, 2, 9000, 'token_short')).toBeDefined();
});

it('a queue that is full for new calls still takes a running stream, and leaving it frees a place', () => {
  const queue = new MoneyQueue(clock);
  const got = Array.from({ length: 256 }, () => joining(queue, 1, 1, 'user_short'));
  expect(joining(queue, 1, 1, 'user_short')).toBeUndefined();
  expect(joining(queue, 1, 1, 'user_short', true)).toBeDefined();
  got[0]?.leave();
  got[0]?.leave();
  got[1]?.leave();
  expect(joining(queue, 1, 1, 'user_short')).toBeDefined();
  expect(joining(queue, 1, 1, 'user_short')).toBeUndefined();
});

it('returned quota wakes only the first in the queue, and a caller leaving the middle wakes no other', async () => {
  vi.useFakeTimers();
  const queue = new MoneyQueue(clock);
  const [first, second, third] = [1, 2, 3].map((token) => joining(queue, 1, token, 'user_short'));
  const turns: string[] = [];
  void first?.turn(short('user_short')).then((hasTurn) => turns.push(`first ${String(hasTurn)}`));
  void third?.turn(short('user_short')).then((hasTurn) => turns.push(`third ${String(hasTurn)}`));
  second?.leave();
  await vi.advanceTimersByTimeAsync(0);
  expect(turns).toEqual([]);
  first?.leave();
  await vi.advanceTimersByTimeAsync(0);
  expect(turns).toEqual(['third true']);
});

it('the first in line retries every 250 ms for as long as it may wait, and no timer outlives the wait', async () => {
  vi.useFakeTimers();
  const queue = new MoneyQueue(clock);
  const [first, second] = [1, 2].map((user) => joining(queue, user, 1, 'user_short'));
  first?.leave();
  // Others give back without a word: so it tries now and then, and has had enough after ten seconds.
  const tries: boolean[] = [];
  while (tries.at(-1) !== false) {
    const turn = second?.turn(short('user_short'));
    await vi.advanceTimersByTimeAsync(250);
    tries.push((await turn) === true);
  }
  expect(tries).toHaveLength(40);
  second?.leave();
  expect(vi.getTimerCount()).toBe(0);
});

it('where no call may wait, none joins, but running streams do', () => {
  const queue = new MoneyQueue(clock);
  expect(queue.join(short('user_short'), callerOf(1, 1), () => false, 0)).toBeUndefined();
  const runs = queue.join(short('user_short'), callerOf(1, 1), () => false, 'running');
  places.push(runs);
  expect(runs).toBeDefined();
  expect(queue.shareOf(callerOf(1, 1))).toBeUndefined();
});

it('what there is, with what running calls hold, is shared by those who wait and one more', () => {
  const queue = new MoneyQueue(clock);
  const found = { state: 'token_short', availableUnits: 30, heldUnits: 60 } as const;
  for (const _ of [1, 2]) void joining(queue, 1, 7, 'token_short')?.turn(found);
  expect(queue.shareOf(callerOf(1, 7))).toBe(30);
  expect(queue.shareOf(callerOf(1, 8))).toBeUndefined();
  void joining(queue, 1, 8, 'user_short')?.turn({ ...found, state: 'user_short', heldUnits: 10 });
  expect(queue.shareOf(callerOf(1, 7))).toBe(20);
  expect(queue.shareOf(callerOf(2, 9))).toBeUndefined();
});
