import { expect, test } from 'vitest';
import { Secret } from '../secrets/secret.ts';
import { secretsOf, secretsSent } from './channel-secrets.ts';
import { channelOf } from './testing/channel.ts';

const KEY = 'channel-key-0123456789';
const channel = channelOf(1, { key: new Secret(KEY) });
const sent = (headers: Record<string, string>, query = '') =>
  secretsSent(channel, { url: `https://up.example/v1${query}`, headers });

test('a token made for one request is masked beside the key', () => {
  const secrets = sent({ authorization: `Bearer ${'t'.repeat(20)}` });
  expect(secrets.maskText(`${'t'.repeat(20)} ${KEY} Bearer`)).toBe(
    `${'*'.repeat(20)} ${'*'.repeat(KEY.length)} Bearer`,
  );
});

test('a shorter word in such a header is no secret', () => {
  expect(sent({ authorization: `Bearer ${'t'.repeat(19)}` })).toBe(secretsOf(channel));
});

test('a credential of the query is masked, another value of it is not', () => {
  const secrets = sent({}, `?signature=${'s'.repeat(24)}&model=${'m'.repeat(24)}`);
  expect(secrets.maskText(`${'s'.repeat(24)} ${'m'.repeat(24)}`)).toBe(`${'*'.repeat(24)} ${'m'.repeat(24)}`);
});

test('what carries the key itself adds nothing: it is masked already', () => {
  expect(sent({ authorization: `Bearer ${KEY}` })).toBe(secretsOf(channel));
  expect(sent({ 'api-key': `id-of-the-account.${KEY}` })).toBe(secretsOf(channel));
  expect(sent({ accept: 'application/json, text/event-stream' })).toBe(secretsOf(channel));
});

test('the host that the operator set is masked, one that everybody knows is not', () => {
  const hostsOf = (baseUrl: string) => secretsOf(channelOf(1, { baseUrl })).hosts;
  expect(hostsOf('https://inner.example/v1')).toEqual(['inner.example']);
  expect(hostsOf('https://api.openai.com')).toEqual([]);
  expect(hostsOf('')).toEqual([]);
});
