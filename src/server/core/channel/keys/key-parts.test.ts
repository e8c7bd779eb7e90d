import { expect, test } from 'vitest';
import { keyParts } from './key-parts.ts';

test('of a key of several parts each secret one is a part; regions, numbers and addresses are not', () => {
  const key = 'AK345678|Secret0fAccount|us-east-1|123456789012345|https://up.example';
  expect(keyParts(key)).toEqual([key, 'AK345678', 'Secret0fAccount']);
});

test('a number of more digits than an account has is a secret', () => {
  const key = '1234567890123456|ab';
  expect(keyParts(key)).toEqual([key, '1234567890123456']);
});

test('a part of fewer than eight characters does not count, nor does a whole key', () => {
  expect(keyParts('a234567|b2345678')).toEqual(['a234567|b2345678', 'b2345678']);
  expect(keyParts('a234567')).toEqual([]);
  expect(keyParts(' a2345678 ')).toEqual(['a2345678']);
});

test('a half of `id.secret` is a part if it has sixteen characters', () => {
  expect(keyParts(`${'i'.repeat(15)}.${'s'.repeat(16)}`)).toEqual([
    `${'i'.repeat(15)}.${'s'.repeat(16)}`,
    's'.repeat(16),
  ]);
});

test("a key is a secret without its maker's mark, too, if sixteen characters are left", () => {
  const sixteen = 'Q1w2E3r4T5y6U7i8';
  expect(keyParts(`sk-${sixteen}`)).toEqual([`sk-${sixteen}`, sixteen]);
  expect(keyParts(`sk-${sixteen.slice(1)}`)).toEqual([`sk-${sixteen.slice(1)}`]);
});

test('of a JSON key the secret members are parts, a private key line by line', () => {
  const line = 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSj';
  const key = JSON.stringify({
    type: 'service_account',
    private_key_id: 'k'.repeat(8),
    private_key: `-----BEGIN PRIVATE KEY-----\n${line}\n-----END PRIVATE KEY-----\n`,
    token_uri: 'https://oauth2.example/token',
    client_secret: 's234567',
  });
  expect(keyParts(key)).toEqual(['k'.repeat(8), line]);
});
