import { describe, expect, test } from 'vitest';
import { AppError } from '../../error.ts';
import { failureEffects } from './failure-effects.ts';

const refused = (status: number, details: { readonly retryAfterSeconds?: number } = {}): AppError =>
  new AppError('upstream_failed', 'x', { upstream: { status, message: 'x' }, ...details });
const lost = new AppError('upstream_failed', 'x');
const silent = new AppError('upstream_timeout', 'x');

const ofSeveral = { isOneOfSeveral: true, hasOtherAnswered: false };
const onlyKey = { isOneOfSeveral: false, hasOtherAnswered: false };

describe('a failure says nothing about the channel', () => {
  test.each([
    ['the caller left', new AppError('client_closed', 'x')],
    ['the caller made a mistake', refused(400)],
    ['we could not do our part', new AppError('unavailable', 'x')],
  ])('if %s', (_, error) => {
    expect(failureEffects(error, ofSeveral)).toBeUndefined();
  });
});

describe('a refused key', () => {
  test.each([401, 402])('rests after status %i if it is one of several', (status) => {
    expect(failureEffects(refused(status), ofSeveral)).toEqual({ key: 'rest' });
  });

  test('counts for all models if it is the only one', () => {
    expect(failureEffects(refused(401), onlyKey)).toEqual({ key: 'count_for_all' });
  });
});

describe('a rate limit', () => {
  test('rests the model at that key', () => {
    expect(failureEffects(refused(429), ofSeveral)).toEqual({ modelAtKey: 'rest' });
  });

  test('counts if it names a time, or if there is no other key', () => {
    const counts = { modelAtKey: 'count' };
    expect(failureEffects(refused(429, { retryAfterSeconds: 60 }), ofSeveral)).toEqual(counts);
    expect(failureEffects(refused(429), onlyKey)).toEqual(counts);
  });

  test('at one of several keys says nothing about the channel, whatever status it came with', () => {
    const limited = new AppError('rate_limited', 'x', { upstream: { status: 504, message: 'x' } });
    expect(failureEffects(limited, ofSeveral)).toEqual({ modelAtKey: 'rest' });
  });
});

describe('a model', () => {
  test('that the key may not use is blamed at that key', () => {
    expect(failureEffects(refused(403), ofSeveral)).toEqual({ modelAtKey: 'count', isOfOneCall: true });
  });

  test('that is not there is blamed at every key', () => {
    expect(failureEffects(refused(404), ofSeveral)).toEqual({
      modelAtKey: 'count',
      model: 'count',
      isOfOneCall: true,
    });
  });

  test.each([500, 503, 529, 307])(
    'that fails with status %i also raises the share of its channel',
    (status) => {
      expect(failureEffects(refused(status), ofSeveral)).toEqual({
        modelAtKey: 'count',
        model: 'count',
        key: 'share',
        channel: 'share',
        ...(status === 500 && { isOfOneCall: true }),
      });
    },
  );

  test('is not blamed for a call that is larger than its limit', () => {
    const message = 'Request too large for m on tokens per min (TPM): Limit 30000, Requested 60000.';
    const tooLarge = new AppError('rate_limited', 'x', { upstream: { status: 429, message } });
    for (const at of [ofSeveral, onlyKey]) expect(failureEffects(tooLarge, at)).toBeUndefined();
  });
});

describe('an upstream that cannot be reached', () => {
  const unreachable = [lost, silent, ...[502, 504, 520, 521, 522, 523, 524].map((status) => refused(status))];

  test('is blamed as a whole, even if its gateway blames the key', () => {
    const upstream = { status: 502, message: 'x', code: 'invalid_api_key' };
    const blamesKey = new AppError('upstream_failed', 'x', { upstream });
    for (const error of [...unreachable, blamesKey])
      expect(failureEffects(error, ofSeveral)).toEqual({
        modelAtKey: 'count',
        model: 'count',
        key: 'count',
        channel: 'count',
        isCostly: true,
      });
  });

  test('only raises the share of the channel if another key was answered: the key is blamed', () => {
    for (const error of unreachable)
      expect(failureEffects(error, { isOneOfSeveral: true, hasOtherAnswered: true })).toEqual({
        modelAtKey: 'count',
        model: 'share',
        key: 'count',
        channel: 'share',
        isCostly: true,
      });
  });
});
