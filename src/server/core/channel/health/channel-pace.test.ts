import { expect, it } from 'vitest';
import { ChannelPace } from './channel-pace.ts';

it('a moving mean forgets what is older than ten minutes', () => {
  const pace = new ChannelPace();
  expect(pace.firstTokenMs(1, 'm', 0)).toBeUndefined();
  pace.heard(1, 'm', 100, 0);
  pace.heard(1, 'm', 200, 1000);
  expect(pace.firstTokenMs(1, 'm', 1000)).toBe(120);
  expect(pace.firstTokenMs(1, 'other', 1000)).toBeUndefined();
  expect(pace.firstTokenMs(1, 'm', 601_000)).toBe(120);
  expect(pace.firstTokenMs(1, 'm', 601_001)).toBeUndefined();
  pace.heard(1, 'm', 500, 700_000);
  expect(pace.firstTokenMs(1, 'm', 700_000)).toBeCloseTo(500);
});

it.each([100, 1000, 10_000, 60_000])(
  'a channel that is as quick as before is known to be within half a minute or three calls, one in %i ms',
  (everyMs) => {
    const pace = new ChannelPace();
    let nowMs = 0;
    const hear = (ms: number) => pace.heard(1, 'm', ms, (nowMs += everyMs));
    for (let call = 0; call < 100; call += 1) hear(700);
    expect(pace.firstTokenMs(1, 'm', nowMs)).toBeCloseTo(700);
    for (let call = 0; call < Math.max(3, 30_000 / everyMs); call += 1) hear(100);
    // At most an eighth of the difference is left.
    expect(pace.firstTokenMs(1, 'm', nowMs)).toBeLessThanOrEqual(175);
  },
);

it('a running call is counted until it ends, and the count never falls below zero', () => {
  const pace = new ChannelPace();
  pace.began(1);
  pace.began(1);
  pace.ended(1);
  expect(pace.running(1)).toBe(1);
  pace.ended(1);
  pace.ended(1);
  expect(pace.running(1)).toBe(0);
});

it('beyond fifty thousand times the channel known longest is forgotten', () => {
  const pace = new ChannelPace();
  for (let id = 1; id <= 50; id += 1)
    for (let model = 0; model < 1000; model += 1) pace.heard(id, String(model), 5, 0);
  expect(pace.firstTokenMs(1, '0', 0)).toBe(5);
  pace.heard(51, '0', 5, 0);
  expect(pace.firstTokenMs(1, '0', 0)).toBeUndefined();
  expect([pace.firstTokenMs(2, '0', 0), pace.firstTokenMs(51, '0', 0)]).toEqual([5, 5]);
});
