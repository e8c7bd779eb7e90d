import { expect, it } from 'vitest';
import { initialOptions } from '#contract/options.ts';
import { AppError } from '#core/error.ts';
import { TriesLeft } from './tries-left.ts';

type Terms = Omit<ConstructorParameters<typeof TriesLeft>[0], 'options'>;

const RETRIES = 3;
const UNTAKEN = 2;
const options = { ...initialOptions, RetryTimes: RETRIES, 'upstream_setting.silent_retries': UNTAKEN };

const failure = (status: number): AppError =>
  new AppError('upstream_failed', 'x', { upstream: { status, message: 'x' } });
const [failed, refused, limited] = [500, 401, 429].map(failure) as [AppError, AppError, AppError];

/** What allows the further attempts of a call that always fails in this way. */
const taken = (terms: Partial<Terms>, error: AppError, mayBeOfKey = false, tookMs = 10): string => {
  const failed = { mayBeOfKey, tookMs, isProbe: false };
  const left = new TriesLeft({ isFree: true, canRepeat: true, ...terms, options });
  const all: string[] = [];
  for (let tries = left.take(error, failed); tries !== undefined; tries = left.take(error, failed))
    all.push(tries);
  return [...new Set(all)].map((kind) => `${all.filter((one) => one === kind).length} ${kind}`).join(', ');
};

it('a failure uses up the retries, a channel that did not take the call first those for that', () => {
  expect(taken({}, failed)).toBe('3 retry');
  expect(taken({}, limited)).toBe('10 untaken, 3 retry');
});

it('eight further keys of channels may be tried, and ten that are refused count as one', () => {
  expect(taken({ isFree: false }, limited, true)).toBe('8 key');
  expect(taken({ isFree: false }, refused, true)).toMatch(/^8[01] key$/);
});

it('a call that may go to one channel only is not sent to another', () => {
  for (const error of [failed, limited]) {
    expect(taken({ isFree: false }, error)).toBe('');
    expect(taken({ isFree: false, mostTries: 5 }, error)).toBe('');
  }
});

it('a number of tries that is set replaces all retries between channels', () => {
  expect(taken({ mostTries: 2 }, limited)).toBe('1 retry');
  expect(taken({ mostTries: 1 }, limited)).toBe('');
});

it('a gateway that lost the call is no reason for a further channel if the call must not be repeated', () => {
  expect(taken({ canRepeat: true }, failure(502))).toBe('10 untaken, 3 retry');
  expect(taken({ canRepeat: false }, failure(502))).toBe('3 retry');
});

it('a call that is larger than a limit is refused by every key alike, and uses up the retries', () => {
  const upstream = {
    status: 429,
    message: 'Request too large for m on tokens per min (TPM): Limit 3, Requested 6.',
  };
  expect(taken({}, new AppError('rate_limited', 'x', { upstream }))).toBe('3 retry');
});

it('a connection that is refused at once costs no wait, and is left as a refusal is', () => {
  const lost = new AppError('upstream_failed', 'x', { isUnsent: true });
  expect(taken({}, lost, false, 10)).toBe('10 untaken, 3 retry');
  expect(taken({}, lost, false, 10_000)).toBe('2 untaken, 3 retry');
});

it('what was sent to a channel that was known to fail gets one more attempt, whatever its error', () => {
  const left = new TriesLeft({ isFree: true, canRepeat: true, options: { ...options, RetryTimes: 0 } });
  const ofProbe = { mayBeOfKey: false, tookMs: 10, isProbe: true };
  expect(left.take(failed, { ...ofProbe, isProbe: false })).toBeUndefined();
  expect([left.take(failed, ofProbe), left.take(failed, ofProbe)]).toEqual(['untaken', undefined]);
  // What must not be done twice is not sent again by itself.
  const once = new TriesLeft({ isFree: true, canRepeat: false, options: { ...options, RetryTimes: 0 } });
  expect(once.take(failed, ofProbe)).toBeUndefined();
});
