import { expect, test } from 'vitest';
import { initialOptions, type OptionValues } from '#contract/options.ts';
import { channelOf } from '#core/channel/testing/channel.ts';
import { Secret } from '#core/secrets/secret.ts';
import type { UpstreamCall } from '../dialects/upstream.ts';
import { providerOf } from './registry.ts';
import { writtenFor } from '../dialects/upstream.ts';

const call = (model: string, changes: Partial<UpstreamCall> = {}): UpstreamCall => ({
  operation: 'chat',
  model,
  stream: false,
  ...changes,
});

const provider = (type: number) => {
  const found = providerOf(type);
  if (found === undefined) throw new Error(`no provider for ${type}`);
  return found;
};

test('iFlytek is told key and secret, or a password as it is', () => {
  const proofOf = (key: string) =>
    provider(18).address(channelOf(18, { key: new Secret(key) }), call('lite')).headers['authorization'];
  expect(proofOf('app|the-secret|the-key')).toBe('Bearer the-key:the-secret');
  expect(proofOf('password')).toBe('Bearer password');
});

test.each([
  ['SparkDesk-v3.5', '', 'generalv3.5'],
  ['SparkDesk-v3.1-128K', '', 'pro-128k'],
  ['SparkDesk', 'v4.0', '4.0Ultra'],
  ['SparkDesk', '', 'SparkDesk'],
  ['generalv3', 'v2.1', 'generalv3'],
])('iFlytek calls %s of version %j %s', (model, other, sent) => {
  const of = channelOf(18, { other });
  expect(writtenFor(provider(18), { model }, call(model), of)).toEqual({ model: sent });
});

test('Cloudflare needs an account, and lists its models by name', () => {
  expect(() => provider(39).address(channelOf(39), call('m'))).toThrow('no Cloudflare account');
  expect(provider(39).readModels?.({ result: [{ id: 'x', name: '@cf/meta/llama' }], success: true })).toEqual(
    ['@cf/meta/llama'],
  );
});

test('models come out of every shape of list', () => {
  expect(provider(101).readModels?.([{ id: 'a' }, { id: 'b' }])).toEqual(['a', 'b']);
  expect(provider(106).readModels?.([{ id: 'openai/gpt-4o', name: 'GPT-4o' }])).toEqual(['openai/gpt-4o']);
  expect(provider(34).readModels?.({ models: [{ name: 'command-a', endpoints: ['chat'] }] })).toEqual([
    'command-a',
  ]);
  expect(provider(24).readModels?.({ models: [{ name: 'models/gemini-2.5-pro' }] })).toEqual([
    'gemini-2.5-pro',
  ]);
});

test("Gemini's version is the channel's, else the model's, else the one for all", () => {
  const options: OptionValues = {
    ...initialOptions,
    'gemini.version_settings': { default: 'v1', 'gemini-x': 'v1alpha' },
  };
  const versionOf = (model: string, other = '', settings?: OptionValues) =>
    provider(24)
      .address(channelOf(24, { other }), call(model, settings === undefined ? {} : { options: settings }))
      .url.split('/')[3];
  expect(versionOf('gemini-2.5-pro')).toBe('v1beta');
  expect(versionOf('gemini-1.0-pro')).toBe('v1');
  expect(versionOf('gemini-2.5-pro', '', options)).toBe('v1');
  expect(versionOf('gemini-x', '', options)).toBe('v1alpha');
  expect(versionOf('gemini-x', 'v2', options)).toBe('v2');
});

test("Gemini's embeddings name the model that is in their path", () => {
  const embed = call('text-embedding-004', { operation: 'embed-content' });
  const batch = call('text-embedding-004', { operation: 'batch-embed-contents' });
  expect(provider(24).address(channelOf(24), batch).url).toMatch(
    /models\/text-embedding-004:batchEmbedContents$/,
  );
  expect(writtenFor(provider(24), { model: 'models/alias', content: {} }, embed, channelOf(24))).toEqual({
    model: 'models/text-embedding-004',
    content: {},
  });
  expect(writtenFor(provider(24), { requests: [{ content: {} }] }, batch, channelOf(24))).toEqual({
    requests: [{ content: {}, model: 'models/text-embedding-004' }],
  });
});

test('Alibaba is told the plugin, and reranks at a path of its own', () => {
  const rerank = call('qwen3-rerank', { operation: 'rerank' });
  const { url, headers } = provider(17).address(channelOf(17, { other: 'pdf_extracter' }), rerank);
  expect(url).toBe('https://dashscope.aliyuncs.com/compatible-api/v1/reranks');
  expect(headers['x-dashscope-plugin']).toBe('pdf_extracter');
  expect(provider(17).address(channelOf(17), rerank).headers).not.toHaveProperty('x-dashscope-plugin');
});

test("Cohere's rerank gets texts alone", () => {
  const body = {
    model: 'r',
    query: 'q',
    documents: ['a', { text: 'b' }, { title: 'c' }],
    return_documents: true,
  };
  expect(writtenFor(provider(34), body, call('r', { operation: 'rerank' }), channelOf(34))).toEqual({
    model: 'r',
    query: 'q',
    documents: ['a', 'b', '{"title":"c"}'],
  });
});

test('Replicate names a version in the body, a model in the path', () => {
  const of = channelOf(56);
  expect(writtenFor(provider(56), { input: {} }, call('meta/llama'), of)).toEqual({ input: {} });
  expect(writtenFor(provider(56), { input: {} }, call('meta/llama:abc'), of)).toEqual({
    input: {},
    version: 'abc',
  });
});
