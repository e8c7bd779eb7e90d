import { describe, expect, it } from 'vitest';
import { BUCKETS, FIELD, seriesOf, sumOfLast } from '#core/channel/live-sums.ts';
import { LivePulses } from './live-pulses.ts';

const START_MS = 1_000_000_000_000;

const only = (pulses: LivePulses, nowMs: number) => {
  const [sums] = pulses.report(nowMs).channels;
  if (sums === undefined) throw new Error('no channel');
  return sums;
};

describe('the pulse of a channel', () => {
  it('has its calls, errors, first tokens and cache reads by time', () => {
    const pulses = new LivePulses();
    const seat = pulses.of(1, 0, START_MS);
    seat.began('default', 'a', START_MS);
    seat.firstToken(300, START_MS + 300);
    seat.read(1000, 400, START_MS + 5000);
    seat.left();
    seat.began('vip', 'b', START_MS + 5000);
    seat.failed(START_MS + 5000);
    const { counts, inFlight, routes, keys } = only(pulses, START_MS + 5000);
    expect(seriesOf(counts, 'calls').slice(-3)).toEqual([0, 1, 1]);
    expect(seriesOf(counts, 'errors').slice(-2)).toEqual([0, 1]);
    expect(seriesOf(counts, 'firstMs').slice(-2)).toEqual([300, 0]);
    expect([sumOfLast(counts, 'prompt', BUCKETS), sumOfLast(counts, 'cached', BUCKETS)]).toEqual([1000, 400]);
    expect([inFlight, routes, keys]).toEqual([1, ['default\na', 'vip\nb'], []]);
  });

  it('adds up its keys, and tells of each', () => {
    const pulses = new LivePulses();
    for (const keyId of [5, 6, 6]) pulses.of(1, keyId, START_MS).began('default', 'a', START_MS);
    const { counts, inFlight, keys } = only(pulses, START_MS);
    expect([sumOfLast(counts, 'calls', 1), inFlight]).toEqual([3, 3]);
    expect(keys.map((key) => [key.keyId, key.calls, key.totals[FIELD.calls]])).toEqual([
      [5, 1, 1],
      [6, 2, 2],
    ]);
  });

  it('is forgotten after five minutes, unless a call still runs', () => {
    const pulses = new LivePulses();
    const seat = pulses.of(1, 0, START_MS);
    seat.began('default', 'a', START_MS);
    const laterMs = START_MS + 400_000;
    expect(sumOfLast(only(pulses, laterMs).counts, 'calls', BUCKETS)).toBe(0);
    expect(only(pulses, laterMs).inFlight).toBe(1);
    seat.left();
    expect(pulses.report(laterMs).channels).toEqual([]);
  });

  it('counts anew in a bucket that was used five minutes before', () => {
    const pulses = new LivePulses();
    for (const ms of [START_MS, START_MS + 300_000]) pulses.of(1, 0, ms).began('default', 'a', ms);
    expect(sumOfLast(only(pulses, START_MS + 300_000).counts, 'calls', BUCKETS)).toBe(1);
  });

  it('counts a bounded number of tokens, whatever an upstream reports', () => {
    const pulses = new LivePulses();
    pulses.of(1, 0, START_MS).read(Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER, START_MS);
    expect(sumOfLast(only(pulses, START_MS).counts, 'cached', 1)).toBe(10_000_000);
  });
});

it('however many seats are called, at most 2000 are counted and 200 channels told', () => {
  const pulses = new LivePulses();
  for (let id = 1; id <= 5000; id += 1) pulses.of(id, 0, START_MS).began('default', 'a', START_MS);
  expect(pulses.size).toBe(2000);
  expect(pulses.report(START_MS).channels).toHaveLength(200);
});
