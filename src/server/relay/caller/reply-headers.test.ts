import { expect, it } from 'vitest';
import { AppError } from '#core/error.ts';
import { errorHeaders } from './reply-headers.ts';

const YEAR = 31_536_000;

it('no caller is asked to wait longer than we wait before asking the upstream again', () => {
  const upstream = { status: 429, message: 'slow down' };
  const told = (retryAfterSeconds: number, of: object) =>
    errorHeaders(new AppError('rate_limited', 'x', { retryAfterSeconds, ...of }))['retry-after'];
  expect([told(7, { upstream }), told(300, { upstream }), told(YEAR, { upstream })]).toEqual([
    '7',
    '300',
    '300',
  ]);
  // A limit of this site ends when it says.
  expect(told(3600, {})).toBe('3600');
  expect(errorHeaders(new AppError('rate_limited', 'x', { upstream }))['retry-after']).toBeUndefined();
});
