import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { AppError, type ErrorCode } from '../error.ts';
import { timeBucket } from '../evidence/evidence.ts';
import { type AvailabilitySum, callerBit, callersIn, outcomeOf } from './availability.ts';
import { availabilityReport } from './availability-report.ts';
import { HOUR_S } from '../time/spans.ts';

const span = { fromS: 36_000, stretch: HOUR_S, bars: 3 };
const shown = { leastCalls: 20, leastCallers: 3 };
const THREE = callerBit(1) | callerBit(2) | callerBit(3);

const sum = (calls: number, more: Partial<AvailabilitySum> = {}): AvailabilitySum => ({
  start: span.fromS,
  model: 'gpt-4o',
  measure: 'answered',
  bucket: 0,
  calls,
  callers: THREE,
  ...more,
});
const reportOf = (calls: readonly AvailabilitySum[], times: readonly AvailabilitySum[] = []) =>
  availabilityReport(['gpt-4o'], span, calls, times, shown)[0];

describe('whether a call could be used', () => {
  const upstream = (status: number) =>
    new AppError('upstream_failed', 'no', { upstream: { status, message: 'no' } });

  test.each([401, 402, 403, 404, 429, 500, 503, 529])('no: the upstream said %i', (status) =>
    expect(outcomeOf(upstream(status))).toBe('failed'),
  );
  test.each([400, 409, 413, 415, 422])('says nothing: the upstream said %i of the request', (status) =>
    expect(outcomeOf(upstream(status))).toBeUndefined(),
  );
  test.each(['upstream_timeout', 'upstream_failed', 'no_channel', 'unavailable', 'internal', 'rate_limited'])(
    'no: %s',
    (code) => expect(outcomeOf(new AppError(code as ErrorCode, 'no'))).toBe('failed'),
  );
  test.each(['client_closed', 'invalid_request', 'insufficient_quota', 'forbidden', 'not_implemented'])(
    'says nothing: %s',
    (code) => expect(outcomeOf(new AppError(code as ErrorCode, 'no'))).toBeUndefined(),
  );
  it('could where nothing failed', () => expect(outcomeOf(undefined)).toBe('answered'));
});

describe('the report', () => {
  it('puts calls into the bars of their time and rounds down, so that 100 means every call', () => {
    const report = reportOf([
      sum(2999),
      sum(1, { measure: 'failed' }),
      sum(50, { start: span.fromS + 2 * HOUR_S }),
      sum(900, { start: span.fromS - 1 }),
      sum(900, { start: span.fromS + 3 * HOUR_S }),
    ]);
    expect(report).toMatchObject({ percent: 99.9, bars: [99.5, undefined, 100] });
  });

  it('shows nothing of too few calls, or of too few callers however often they call', () => {
    expect(reportOf([sum(19)])).toMatchObject({
      percent: undefined,
      bars: [undefined, undefined, undefined],
    });
    // One less than must have called says as little as one alone.
    for (const callers of [callerBit(7), callerBit(1) | callerBit(2)]) {
      const few = reportOf(
        [sum(10_000, { callers })],
        [sum(10_000, { measure: 'first_token', bucket: timeBucket(800), callers })],
      );
      expect(few).toMatchObject({
        percent: undefined,
        bars: [undefined, undefined, undefined],
        firstTokenMs: undefined,
      });
    }
    expect(reportOf([sum(10, { callers: callerBit(1) }), sum(10, { callers: THREE })])?.percent).toBe(100);
  });

  it('never counts more callers than there are', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.integer({ min: 1, max: 2 ** 40 }), { maxLength: 60 }), (users) => {
        let callers = 0;
        for (const user of users) callers |= callerBit(user);
        expect(callersIn(callers)).toBeLessThanOrEqual(users.length);
        expect(callersIn(callers) > 0).toBe(users.length > 0);
      }),
    );
  });

  it('tells times to the first token in two digits', () => {
    const times = [
      sum(90, { measure: 'first_token', bucket: timeBucket(800) }),
      sum(10, { measure: 'first_token', bucket: timeBucket(5200) }),
    ];
    const { p50 = 0, p95 = 0 } = reportOf([sum(100)], times)?.firstTokenMs ?? {};
    expect([p50, p95].map((ms) => String(ms).replace(/0+$/, '').length)).toEqual([2, 2]);
    expect(Math.abs(p50 / 800 - 1)).toBeLessThan(0.2);
    expect(Math.abs(p95 / 5200 - 1)).toBeLessThan(0.2);
  });
});
