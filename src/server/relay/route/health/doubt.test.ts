import { expect, test } from 'vitest';
import { AppError } from '#core/error.ts';
import { ChannelHealth } from './channel-health.ts';

/** What a call that has failed elsewhere avoids, although it does not cool down. */

const refused = (status: number): AppError =>
  new AppError('upstream_failed', 'x', { upstream: { status, message: 'x' } });
const seat = (id: number, keyId = 0) => ({ id, keyId, models: ['a', 'b', 'c'] });
const fail = (health: ChannelHealth, id: number, keyId: number, atMs: number, error = refused(529)): void =>
  health.failed(seat(id, keyId), 'a', { error, startedMs: atMs - 10, nowMs: atMs });

test('a single failure makes a channel doubtful for its model, until it answers or for an hour', () => {
  const health = new ChannelHealth(() => 0);
  const isDoubtful = (atMs: number, model = 'a'): boolean => health.isDoubtful(1, 0, model, atMs);
  expect(isDoubtful(0)).toBe(false);
  fail(health, 1, 0, 1000);
  expect([isDoubtful(1001), isDoubtful(3_601_000 - 1), isDoubtful(3_601_000)]).toEqual([true, true, false]);
  expect(isDoubtful(1001, 'b')).toBe(false);
  expect(health.isCooling(1, 0, 'a', 1001)).toBe(false);
  health.succeeded(seat(1), 'a', 2000);
  expect(isDoubtful(2001)).toBe(false);
});

test("a caller's own mistake, or one who left, makes nothing doubtful", () => {
  const health = new ChannelHealth(() => 0);
  fail(health, 1, 0, 1000, refused(400));
  fail(health, 1, 0, 1000, new AppError('client_closed', 'x'));
  expect(health.isDoubtful(1, 0, 'a', 1001)).toBe(false);
});

test('what has cooled down stays doubtful after its time until it has answered', () => {
  const health = new ChannelHealth(() => 0);
  for (let at = 0; at < 5; at++) fail(health, 1, 0, 1000);
  expect(health.isCooling(1, 0, 'a', 11_001)).toBe(false);
  expect(health.isDoubtful(1, 0, 'a', 11_001)).toBe(true);
  health.chosen(seat(1), 'a', 11_002);
  health.succeeded(seat(1), 'a', 11_003);
  expect(health.isDoubtful(1, 0, 'a', 11_004)).toBe(false);
});

test('one key of several is doubted alone', () => {
  const health = new ChannelHealth(() => 0);
  fail(health, 1, 3, 1000, refused(403));
  expect([3, 4].map((keyId) => health.isDoubtful(1, keyId, 'a', 1001))).toEqual([true, false]);
});

test('of more than 256 failed keys none is doubted that does not cool: a call could not look at all of them', () => {
  const health = new ChannelHealth(() => 0);
  for (let keyId = 1; keyId <= 255; keyId++) fail(health, 1, keyId, 1000, refused(403));
  expect(health.isDoubtful(1, 9, 'a', 1001)).toBe(true);
  for (let keyId = 256; keyId <= 300; keyId++) fail(health, 1, keyId, 1000, refused(403));
  expect(health.isDoubtful(1, 9, 'a', 1001)).toBe(false);
});
