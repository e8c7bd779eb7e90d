import { describe, expect, test } from 'vitest';
import { answerTooLong, AppError, asUnsent, type UpstreamProblem } from '../../error.ts';
import { countsAgainstChannel, disableReason } from './blame.ts';
import { isWorthAnother } from './retry.ts';

const failed = (status: number, details: Partial<UpstreamProblem> = {}): AppError =>
  new AppError('upstream_failed', 'x', { upstream: { status, message: 'x', ...details } });

describe('a channel', () => {
  test('is blamed for an error without a status, unless that error is ours', () => {
    expect(countsAgainstChannel(failed(0))).toBe(true);
    expect(countsAgainstChannel(new AppError('upstream_timeout', 'x'))).toBe(true);
    expect(countsAgainstChannel(new AppError('unavailable', 'x'))).toBe(false);
    const theirs = new AppError('unavailable', 'x', { upstream: { status: 0, message: 'x' } });
    expect(countsAgainstChannel(theirs)).toBe(true);
    const malformed = new AppError('upstream_failed', 'x', { reason: 'malformed_answer' });
    expect(countsAgainstChannel(malformed)).toBe(false);
    expect(countsAgainstChannel(answerTooLong('x'))).toBe(false);
    expect(isWorthAnother(answerTooLong('x'), { canRepeat: true })).toBe(false);
  });

  test('is not blamed for what the caller sent', () => {
    expect([400, 413, 422].map((status) => countsAgainstChannel(failed(status)))).toEqual([
      false,
      false,
      false,
    ]);
    expect([307, 401, 404, 429, 500, 524].map((status) => countsAgainstChannel(failed(status)))).toEqual([
      true,
      true,
      true,
      true,
      true,
      true,
    ]);
    expect(countsAgainstChannel(new AppError('client_closed', 'x'))).toBe(false);
  });

  test('is not blamed for what its kind does not offer', () => {
    expect(countsAgainstChannel(new AppError('not_implemented', 'x'))).toBe(false);
    expect(countsAgainstChannel(failed(501))).toBe(true);
  });
});

describe('another channel is asked', () => {
  test.each([
    [429, true],
    [500, true],
    [502, true],
    [503, true],
    [401, true],
    [403, true],
    [404, true],
    [307, true],
    [504, true],
    [524, true],
    [400, false],
    [408, false],
    [413, false],
    [422, false],
  ])('after status %i: %s', (status, expected) => {
    expect(isWorthAnother(failed(status), { canRepeat: true })).toBe(expected);
  });

  test('after a lost connection and a silence, not after a caller that left or a request we refuse', () => {
    const codes = ['upstream_failed', 'upstream_timeout', 'client_closed', 'invalid_request'] as const;
    const verdicts = codes.map((code) => isWorthAnother(new AppError(code, 'x'), { canRepeat: true }));
    expect(verdicts).toEqual([true, true, false, false]);
    const unfit = asUnsent(new AppError('invalid_request', 'this kind takes no mask'));
    expect(isWorthAnother(unfit, { canRepeat: false })).toBe(true);
  });

  test('not if the call must not be done twice and may have been done, unless it was never sent', () => {
    const once = { canRepeat: false };
    expect([504, 524, 500, 429].map((status) => isWorthAnother(failed(status), once))).toEqual([
      false,
      false,
      true,
      true,
    ]);
    for (const code of ['upstream_failed', 'upstream_timeout'] as const) {
      expect(isWorthAnother(new AppError(code, 'x'), once)).toBe(false);
      expect(isWorthAnother(asUnsent(new AppError(code, 'x')), once)).toBe(true);
    }
  });

  test('as the channel reads the status', () => {
    const mapped = (from: number, to: number) => ({
      canRepeat: true,
      statusCodeMapping: new Map([[from, to]]),
    });
    expect(isWorthAnother(failed(400), mapped(400, 500))).toBe(true);
    expect(isWorthAnother(failed(500), mapped(500, 400))).toBe(false);
  });

  test("after an error under status 200, unless it says that the request is the caller's mistake", () => {
    const under200 = (code: 'upstream_failed' | 'invalid_request') =>
      new AppError(code, 'x', { upstream: { status: 0, message: 'x' } });
    expect(isWorthAnother(under200('upstream_failed'), { canRepeat: true })).toBe(true);
    expect(isWorthAnother(under200('invalid_request'), { canRepeat: true })).toBe(false);
  });
});

describe('a channel is switched off', () => {
  const options = {
    AutomaticDisableChannelEnabled: true,
    AutomaticDisableKeywords: 'Your Credit Balance is too low\n\nPermission denied\nCode: 1113',
  };

  test.each<[string, AppError, string | undefined]>([
    ['status 401', failed(401, { message: 'bad key' }), 'status 401, bad key'],
    ['a listed code', failed(403, { code: 'account_deactivated' }), 'status 403, x'],
    ['a listed type', failed(429, { type: 'insufficient_quota' }), 'status 429, x'],
    [
      'a keyword in any case',
      failed(400, { message: 'sorry, YOUR CREDIT BALANCE IS TOO LOW!' }),
      'status 400, sorry, YOUR CREDIT BALANCE IS TOO LOW!',
    ],
    ['a keyword inside a 200', failed(0, { message: 'permission denied' }), 'permission denied'],
    [
      'a keyword after labels',
      failed(400, { message: 'API error: your credit balance is too low' }),
      'status 400, API error: your credit balance is too low',
    ],
    [
      'a keyword with a colon',
      failed(400, { message: "It isn't paid, code: 1113" }),
      "status 400, It isn't paid, code: 1113",
    ],
    [
      'a keyword anywhere in a refusal that came before the request was read',
      failed(429, { message: 'account: permission denied' }),
      'status 429, account: permission denied',
    ],
    ['an ordinary 429', failed(429, { type: 'rate_limit_error' }), undefined],
    ['an ordinary 500', failed(500), undefined],
    ['our own refusal', new AppError('invalid_request', 'Permission denied'), undefined],
  ])('by %s', (_, error, reason) => {
    expect(disableReason(error, options)).toBe(reason);
    expect(disableReason(error, { ...options, AutomaticDisableChannelEnabled: false })).toBeUndefined();
  });

  test.each([
    "Invalid value: 'permission denied'. Supported values are: 'auto'.",
    'Unknown tool: Permission denied',
    'Unknown parameter "permission denied"',
    'messages.0: permission denied',
    "Can't use the tool ‘permission denied’",
    '不支持的工具：permission denied',
  ])('never by words that its caller may have sent: %s', (message) => {
    for (const status of [0, 400, 403, 404, 422, 500])
      expect(disableReason(failed(status, { message }), options)).toBeUndefined();
  });
});
