import { expect, test } from 'vitest';
import { AppError } from '#core/error.ts';
import { refusesSignatures } from './signatures.ts';

const SAID = 'messages.1.content.0: Invalid `signature` in `thinking` block';
const refusal = (status: number, message = SAID): AppError =>
  new AppError('upstream_failed', message, { upstream: { status, message } });

test('only the refusal of a request, because of a signature that it has, is about signatures', () => {
  expect([400, 422].map((status) => refusesSignatures(refusal(status)))).toEqual([true, true]);
  // An upstream that fails, or refuses the key, may say so in the same words.
  expect([0, 401, 429, 500].map((status) => refusesSignatures(refusal(status)))).toEqual(
    Array(4).fill(false),
  );
  expect(refusesSignatures(refusal(400, 'missing signature'))).toBe(false);
  expect(refusesSignatures(refusal(400, 'no such field'))).toBe(false);
  // Our own errors name no upstream.
  expect(refusesSignatures(new AppError('invalid_request', SAID))).toBe(false);
});
