import { expect, test } from 'vitest';
import { providerOf } from '../../registry.ts';

const codeOf = (type: number, status: number, body: unknown): string | undefined =>
  providerOf(type)?.readError?.(status, body)?.upstream?.code;

test.each([
  [
    20,
    402,
    { error: { message: 'Insufficient credits. Add more to continue.', code: 402 } },
    'billing_not_active',
  ],
  [20, 402, { error: { message: 'This needs more credits, or fewer max_tokens.', code: 402 } }, '402'],
  [26, 429, { error: { code: '1113', message: 'empty' } }, 'billing_not_active'],
  [26, 429, { error: { code: '1302', message: 'slow down' } }, '1302'],
  [33, 403, { message: 'The security token included in the request is expired' }, 'invalid_api_key'],
  [33, 403, { message: 'You do not have access to the model with the specified model ID.' }, undefined],
  [39, 403, { errors: [{ code: 10_000, message: 'Authentication error' }] }, 'invalid_api_key'],
  [
    43,
    402,
    { error: { message: 'Insufficient Balance', code: 'invalid_request_error' } },
    'billing_not_active',
  ],
  [48, 400, { code: 'invalid argument', error: 'Incorrect API key provided: xa***' }, 'invalid_api_key'],
])('type %i, status %i: %j is about %s', (type, status, body, code) => {
  expect(codeOf(type, status, body)).toBe(code);
});
