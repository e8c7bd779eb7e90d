import { expect, test } from 'vitest';
import { AppError } from '#core/error.ts';
import { Secrets } from '#core/secrets.ts';
import { withoutSecrets } from './without-secrets.ts';

const secrets = new Secrets(['sk-0123456789abcdef'], ['api.reseller.example', 'proxy.inner.example']);
const told = (message: string): string | undefined =>
  withoutSecrets(new AppError('upstream_failed', 'failed', { upstream: { status: 400, message } }), secrets)
    .upstream?.message;

test.each([
  ['top up at https://www.reseller.example/top-up?x=1 now', 'top up at [address] now'],
  ['https://api.reseller.example:8443/v1 is down', '[address] is down'],
  ['api.reseller.example is down', '[address] is down'],
  ['no way through PROXY.inner.example:3128', 'no way through [address]'],
  ['the key sk-0123456789abcdef at "api.reseller.example"', `the key ${'*'.repeat(19)} at "[address]"`],
])('an error does not tell where the operator buys: %s', (message, shown) => {
  expect(told(message)).toBe(shown);
});

test('an error that tells nothing is the same, and so is an address of the caller’s', () => {
  const error = new AppError('upstream_failed', 'no', {
    upstream: {
      status: 400,
      message: 'cannot load https://pictures.example/cat.png or https://notreseller.example/',
    },
  });
  expect(withoutSecrets(error, secrets)).toBe(error);
});
