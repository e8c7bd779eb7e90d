import { expect, test } from 'vitest';
import { Secret } from '../secrets/secret.ts';
import type { Channel, ChannelRow } from './channel.ts';
import { parseChannel } from './parse-channel.ts';
import { channelRowOf } from './testing/channel.ts';

const parse = (changes: Partial<ChannelRow>): Channel =>
  parseChannel(
    channelRowOf(1, changes),
    () => new Secret('the key'),
    (sealed, address) => `${sealed} for ${address}`,
  );

test('lists are read without blanks and twins, the address without slashes at its end, a weight below 0 as 0', () => {
  const channel = parse({
    models: ' a, b,,a ',
    groups: 'default, vip',
    baseUrl: 'https://upstream.example/v1//',
    weight: -3,
  });
  expect([channel.models, channel.groups, channel.baseUrl, channel.weight]).toEqual([
    ['a', 'b'],
    ['default', 'vip'],
    'https://upstream.example/v1',
    0,
  ]);
});

test('a model mapping is read without the blanks around its names', () => {
  expect([...parse({ modelMapping: '{" a ": "b\\n", "c": ""}' }).modelMapping]).toEqual([
    ['a', 'b'],
    ['c', ''],
  ]);
});

test('statuses of an answer are read from texts and numbers alike', () => {
  expect([...parse({ statusCodeMapping: '{"429": 503, "500": "404"}' }).statusCodeMapping]).toEqual([
    [429, 503],
    [500, 404],
  ]);
});

test('the password of a proxy is opened for the address it was sealed for', () => {
  const setting = JSON.stringify({ proxy: 'http://me@proxy.example:8080', proxy_password: 'sealed' });
  const { proxy } = parse({ setting }).setting;
  expect(proxy?.password?.reveal()).toBe(`sealed for ${String(proxy?.address)}`);
});

test('numbers of an old override are bounded when it is applied; other values are left out', () => {
  const paramOverride = JSON.stringify({
    n: 1000,
    best_of: 0,
    num_samples: '900',
    max_tokens: null,
    temperature: 1000,
    extra_body: { n: 129, max_new_tokens: 1e12, keep: 1 },
    generationConfig: { candidateCount: 3.5, maxOutputTokens: -1 },
    response_format: { n: 5000 },
  });
  expect(parse({ paramOverride }).paramOverride).toEqual({
    n: 128,
    max_tokens: null,
    temperature: 1000,
    extra_body: { n: 128, max_new_tokens: 10_000_000, keep: 1 },
    generationConfig: { maxOutputTokens: -1 },
    response_format: { n: 5000 },
  });
});

test('empty fields count as unset', () => {
  const { modelMapping, statusCodeMapping, setting, paramOverride } = parse({});
  expect([modelMapping.size, statusCodeMapping.size, setting, paramOverride]).toEqual([
    0,
    0,
    { limits: {} },
    {},
  ]);
});

test.each<[string, Partial<ChannelRow>, string]>([
  ['a type nobody knows', { type: 9999 }, 'unknown channel type 9999'],
  ['a mapping that is no object', { modelMapping: '[1]' }, 'model mapping does not read'],
  ['a mapping in a circle', { modelMapping: '{"a":"b","b":"c","c":"a"}' }, 'goes in a circle'],
  ['an override that is no JSON', { paramOverride: '{' }, 'parameter override does not read'],
])('%s is named', (_, changes, message) => {
  expect(() => parse(changes)).toThrow(message);
});

test.each<[string, Partial<ChannelRow>, string]>([
  ['a status that is no failure', { statusCodeMapping: '{"200": 500}' }, 'channel_status_codes'],
  ['a failure made into a success', { statusCodeMapping: '{"500": 200}' }, 'channel_status_codes'],
  ['a timeout of nothing', { setting: '{"idle_timeout_ms": 0}' }, 'channel_setting_bad'],
  ['a proxy that is no address', { setting: '{"proxy": "nowhere"}' }, 'channel_proxy_bad'],
])('%s is refused in words an operator reads', (_, changes, reason) => {
  expect(() => parse(changes)).toThrow(expect.objectContaining({ reason }));
});
