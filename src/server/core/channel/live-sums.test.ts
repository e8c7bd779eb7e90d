import { describe, expect, it } from 'vitest';
import {
  addReports,
  binOf,
  BUCKETS,
  type ChannelSums,
  FIELD,
  FIELDS,
  firstTokenMs,
  type LiveReport,
  seriesOf,
  sumOfLast,
  totalsOf,
} from './live-sums.ts';

const NOW_MS = 1_000_000_000_000;
const NOW = NOW_MS / 5000;

const reportOf = (lastBucket: number, calls: Readonly<Record<number, number>>): LiveReport => {
  const counts = new Uint32Array(BUCKETS * FIELDS);
  for (const [age, count] of Object.entries(calls))
    counts[(BUCKETS - 1 - Number(age)) * FIELDS + FIELD.calls] = count;
  return {
    lastBucket,
    channels: [{ channelId: 7, inFlight: 1, counts, keys: [], routes: ['default\na'] }],
  };
};
const only = (report: LiveReport): ChannelSums => {
  const [sums] = report.channels;
  if (sums === undefined) throw new Error('no channel');
  return sums;
};

describe('what relays tell', () => {
  it('is added up by channel and time', () => {
    const sums = only(addReports([reportOf(NOW, { 0: 2, 12: 5 }), reportOf(NOW, { 0: 3 })], NOW_MS));
    expect(sums.inFlight).toBe(2);
    expect(seriesOf(sums.counts, 'calls').slice(-2)).toEqual([0, 5]);
    expect(sumOfLast(sums.counts, 'calls', 12)).toBe(5);
    expect(sumOfLast(sums.counts, 'calls', 13)).toBe(10);
    expect(sums.routes).toEqual(['default\na']);
  });

  it('counts where it belongs if it is some seconds old, and not at all after five minutes', () => {
    const sums = only(addReports([reportOf(NOW - 2, { 0: 4, 58: 9 })], NOW_MS));
    expect(seriesOf(sums.counts, 'calls').slice(-3)).toEqual([4, 0, 0]);
    expect(totalsOf(sums.counts)[FIELD.calls]).toBe(4);
    expect(totalsOf(only(addReports([reportOf(NOW - 100, { 0: 4 })], NOW_MS)).counts)[FIELD.calls]).toBe(0);
  });

  it('of a key is added up by key', () => {
    const key = { keyId: 3, inFlight: 1, calls: 2, errors: 1, totals: new Uint32Array(FIELDS).fill(1) };
    const withKeys = (keyId: number): LiveReport => {
      const report = reportOf(NOW, {});
      return { ...report, channels: [{ ...only(report), keys: [{ ...key, keyId }] }] };
    };
    const { keys } = only(addReports([withKeys(3), withKeys(4), withKeys(3)], NOW_MS));
    expect(keys.map(({ keyId, calls, totals }) => [keyId, calls, totals[0]])).toEqual([
      [3, 4, 2],
      [4, 2, 1],
    ]);
  });
});

describe('the time of first tokens', () => {
  it('is told within a bin for every share', () => {
    const totals = new Uint32Array(FIELDS);
    for (let ms = 10; ms <= 10_000; ms += 10) totals[binOf(ms)] = (totals[binOf(ms)] ?? 0) + 1;
    for (const [share, ms] of [
      [0.5, 5000],
      [0.95, 9500],
    ] as const) {
      expect(firstTokenMs(totals, share)).toBeGreaterThan(ms / 1.45);
      expect(firstTokenMs(totals, share)).toBeLessThan(ms * 1.45);
    }
  });

  it('is not told where none came, and has an end for those that took for ever', () => {
    expect(firstTokenMs(new Uint32Array(FIELDS), 0.5)).toBeUndefined();
    const totals = new Uint32Array(FIELDS);
    totals[binOf(1e12)] = 1;
    expect(firstTokenMs(totals, 0.95)).toBeLessThan(60_000);
  });
});
