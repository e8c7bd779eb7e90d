import { describe, expect, test } from 'vitest';
import { Secret } from '#core/secrets/secret.ts';
import { channelOf } from '#core/channel/testing/channel.ts';
import { bedrock } from './bedrock.ts';
import { bedrockModelId } from './model-id.ts';
import { writtenFor } from '../../dialects/upstream.ts';

const channel = (key: string) => channelOf(33, { key: new Secret(key) });
const call = (model: string, { stream = false } = {}, beside: object = {}) => ({
  operation: 'chat' as const,
  model,
  stream,
  ...beside,
});
const tools = {
  send: () => Promise.reject(new Error('nothing is sent')),
  nowMs: Date.UTC(2026, 0, 2, 3, 4, 5),
  signal: undefined,
};

describe('where a call to Bedrock goes', () => {
  test.each([
    ['claude-3-haiku-20240307', 'us-east-1', 'anthropic.claude-3-haiku-20240307-v1:0'],
    ['claude-3-5-sonnet-20241022', 'us-west-2', 'us.anthropic.claude-3-5-sonnet-20241022-v2:0'],
    ['claude-sonnet-4-20250514', 'ap-south-1', 'apac.anthropic.claude-sonnet-4-20250514-v1:0'],
    ['claude-sonnet-4-5', 'eu-central-1', 'eu.anthropic.claude-sonnet-4-5-20250929-v1:0'],
    ['claude-haiku-4-5-20251001', 'ap-northeast-1', 'jp.anthropic.claude-haiku-4-5-20251001-v1:0'],
    ['claude-opus-4-6', 'us-gov-west-1', 'us-gov.anthropic.claude-opus-4-6-v1'],
    ['claude-opus-4-7', 'sa-east-1', 'global.anthropic.claude-opus-4-7'],
    [
      'eu.anthropic.claude-sonnet-4-5-20250929-v1:0',
      'us-east-1',
      'eu.anthropic.claude-sonnet-4-5-20250929-v1:0',
    ],
    ['arn:aws:bedrock:us-east-1:1:p/x', 'us-east-1', 'arn:aws:bedrock:us-east-1:1:p/x'],
  ])('%s in %s is %s', (model, region, id) => {
    expect(bedrockModelId(model, region)).toBe(id);
  });

  test('the region is of the key, the model and whether to stream of the path', () => {
    const of = channel('ak|sk|us-east-1');
    expect(bedrock.address(of, call('claude-3-haiku-20240307-thinking')).url).toBe(
      'https://bedrock-runtime.us-east-1.amazonaws.com/model/anthropic.claude-3-haiku-20240307-v1%3A0/invoke',
    );
    expect(bedrock.address(of, call('claude-opus-4-7', { stream: true })).url).toBe(
      'https://bedrock-runtime.us-east-1.amazonaws.com/model/us.anthropic.claude-opus-4-7/invoke-with-response-stream',
    );
    expect(bedrock.address(of, { operation: 'models', model: '', stream: false }).url).toBe(
      'https://bedrock.us-east-1.amazonaws.com/foundation-models',
    );
  });

  test.each([
    ['amazon.nova-lite-v1:0', 'amazon.nova-lite-v1%3A0'],
    ['nova-pro', 'us.amazon.nova-pro-v1%3A0'],
    ['nova-2-lite', 'us.amazon.nova-2-lite-v1%3A0'],
    ['us.meta.llama4-maverick-17b-instruct-v1:0', 'us.meta.llama4-maverick-17b-instruct-v1%3A0'],
    [
      'arn:aws:bedrock:us-east-1:1:imported-model/x',
      'arn%3Aaws%3Abedrock%3Aus-east-1%3A1%3Aimported-model%2Fx',
    ],
  ])('%s is no Claude and is asked by Converse', (model, id) => {
    const of = channel('ak|sk|us-east-1');
    const runtime = 'https://bedrock-runtime.us-east-1.amazonaws.com/model';
    expect(bedrock.address(of, call(model)).url).toBe(`${runtime}/${id}/converse`);
    expect(bedrock.address(of, call(model, { stream: true })).url).toBe(`${runtime}/${id}/converse-stream`);
    expect(bedrock.dialectFor?.(model, of)?.name).toBe('bedrock-converse');
    const body = { messages: [] };
    expect(writtenFor(bedrock, body, call(model), of)).toBe(body);
  });

  test.each([
    'eu.anthropic.claude-sonnet-4-5-20250929-v1:0',
    'arn:aws:bedrock:us-east-1:1:inference-profile/us.anthropic.claude-opus-4-7',
    'arn:aws:bedrock:us-east-1:1:application-inference-profile/a1b2',
  ])('%s is asked as Claude', (model) => {
    expect(bedrock.dialectFor?.(model, channel('ak|sk|us-east-1'))?.name).toBe('anthropic-messages');
    expect(bedrock.address(channel('ak|sk|us-east-1'), call(model)).url).toMatch(/\/invoke$/);
  });

  test('the list has the models that can be called, by the names used to call them', () => {
    const model = (modelId: string, beside: object = {}) => ({
      modelId,
      modelArn: `arn:aws:bedrock:eu-west-1::foundation-model/${modelId}`,
      outputModalities: ['TEXT'],
      inferenceTypesSupported: ['ON_DEMAND'],
      modelLifecycle: { status: 'ACTIVE' },
      ...beside,
    });
    const modelSummaries = [
      model('mistral.mistral-large-2402-v1:0'),
      model('amazon.nova-2-lite-v1:0', { inferenceTypesSupported: ['INFERENCE_PROFILE'] }),
      model('anthropic.claude-v2', { modelLifecycle: { status: 'LEGACY' } }),
      model('amazon.titan-embed-text-v2:0', { outputModalities: ['EMBEDDING'] }),
      model('amazon.nova-canvas-v1:0', { outputModalities: ['IMAGE'] }),
      model('cohere.command-text-v14:7:4k', { inferenceTypesSupported: ['PROVISIONED'] }),
    ];
    expect(bedrock.readModels?.({ modelSummaries })).toEqual([
      'mistral.mistral-large-2402-v1:0',
      'eu.amazon.nova-2-lite-v1:0',
      'amazon.titan-embed-text-v2:0',
    ]);
  });

  test("texts are embedded in the words of the model's maker, and come back as OpenAI's list", () => {
    const of = channel('k|us-east-1');
    const titan = { ...call('amazon.titan-embed-text-v2:0'), operation: 'embeddings' as const };
    expect(bedrock.address(of, titan).url).toMatch(/amazon\.titan-embed-text-v2%3A0\/invoke$/);
    expect(writtenFor(bedrock, { model: 'm', input: 'a', dimensions: 256 }, titan, of)).toEqual({
      inputText: 'a',
      dimensions: 256,
    });
    expect(() => writtenFor(bedrock, { input: ['a', 'b'] }, titan, of)).toThrow('one text at a time');
    expect(
      bedrock.offers[titan.operation]?.read?.({ embedding: [1, 2], inputTextTokenCount: 3 }, titan, {
        model: 'e',
      }),
    ).toEqual({
      object: 'list',
      data: [{ object: 'embedding', index: 0, embedding: [1, 2] }],
      model: 'e',
      usage: { prompt_tokens: 3, total_tokens: 3 },
    });
    const cohere = { ...call('cohere.embed-v4:0'), operation: 'embeddings' as const };
    expect(writtenFor(bedrock, { input: ['a', 'b'] }, cohere, of)).toEqual({
      texts: ['a', 'b'],
      input_type: 'search_document',
    });
    expect(
      bedrock.offers[cohere.operation]?.read?.({ embeddings: { float: [[1], [2]] } }, cohere, { model: 'e' }),
    ).toMatchObject({
      data: [
        { index: 0, embedding: [1] },
        { index: 1, embedding: [2] },
      ],
    });
    const nova = { ...call('amazon.nova-lite-v1:0'), operation: 'embeddings' as const };
    expect(() => writtenFor(bedrock, { input: 'a' }, nova, of)).toThrow('model: ');
  });

  test.each([
    '',
    'one',
    'ak|sk',
    'ak|sk|mars',
    'ak||us-east-1',
    'a|b|c|us-east-1',
    'a|b|us-east-1|',
    'ak|sk|evil.example/us-east-1',
  ])('the key %j is refused in words for the operator', (key) => {
    expect(() => bedrock.address(channel(key), call('m'))).toThrow('Ak|Sk|Region');
  });
});

test.each([
  ['ak|sk', 'ak|sk|eu-west-1'],
  ['ak|sk|token', 'ak|sk|eu-west-1|token'],
  ['api-key', 'api-key|eu-west-1'],
])('a key without a region, %s, takes that of the channel', async (short, whole) => {
  const of = channelOf(33, { key: new Secret(short), other: 'eu-west-1' });
  const { url, headers } = bedrock.address(of, call('claude-3-haiku-20240307'));
  expect(url).toMatch(/^https:\/\/bedrock-runtime\.eu-west-1\./);
  const request = { method: 'POST' as const, url, headers, body: '{}' };
  expect(await bedrock.authorize?.(request, of, tools)).toEqual(
    await bedrock.authorize?.(request, channel(whole), tools),
  );
});

test.each(['ak|sk', 'api-key', 'ak||us-east-1', 'a|us-east-1|b', 'a|b|us-east-1|c|d'])(
  '%s is not accepted as a key',
  (key) => {
    expect(() => bedrock.address(channel(key), call('claude-3-haiku-20240307'))).toThrow(/Ak\|Sk\|Region/);
  },
);

describe('what Bedrock is sent', () => {
  test('the Messages format, without what stands in the path and with what else stands in headers', () => {
    const callerHeaders = { 'anthropic-beta': 'context-1m-2025-08-07' };
    const body = { model: 'claude-sonnet-4-5', stream: true, messages: [], max_tokens: 5 };
    expect(
      writtenFor(
        bedrock,
        body,
        call('claude-sonnet-4-5', { stream: true }, { callerHeaders }),
        channel('k|us-east-1'),
      ),
    ).toEqual({
      anthropic_version: 'bedrock-2023-05-31',
      messages: [],
      max_tokens: 5,
      anthropic_beta: ['context-1m-2025-08-07'],
    });
  });

  test('a signature that follows from the request, the key and the time', async () => {
    const of = channel('AKIDEXAMPLE|wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY|us-east-1');
    const { url, headers } = bedrock.address(of, call('claude-3-haiku-20240307'));
    const request = { method: 'POST' as const, url, headers, body: '{"a":1}' };
    const signed = await bedrock.authorize?.(request, of, tools);
    expect(signed?.headers['x-amz-date']).toBe('20260102T030405Z');
    expect(signed?.headers['authorization']).toMatch(
      /^AWS4-HMAC-SHA256 Credential=\w+\/20260102\/us-east-1\/bedrock\/aws4_request, SignedHeaders=\S+, Signature=[0-9a-f]{64}$/,
    );
    const again = await bedrock.authorize?.({ ...request, body: '{"a":2}' }, of, tools);
    expect(again?.headers['authorization']).not.toBe(signed?.headers['authorization']);
    const same = await bedrock.authorize?.({ ...request, body: Buffer.from('{"a":1}') }, of, tools);
    expect(same?.headers['authorization']).toBe(signed?.headers['authorization']);
  });

  test('the token of a key that ends by itself, signed along', async () => {
    const of = channel('AKID|secret|us-east-1|FwoG+token/==');
    const { url, headers } = bedrock.address(of, call('claude-3-haiku-20240307'));
    const request = { method: 'POST' as const, url, headers, body: '{}' };
    const signed = await bedrock.authorize?.(request, of, tools);
    expect(url).toContain('bedrock-runtime.us-east-1.');
    expect(signed?.headers['x-amz-security-token']).toBe('FwoG+token/==');
    expect(signed?.headers['authorization']).toMatch(/SignedHeaders=\S*x-amz-security-token/);
  });

  test('documents to rerank as texts, and returns them in order', () => {
    const of = channel('k|us-east-1');
    const cohere = { ...call('cohere.rerank-v3-5:0'), operation: 'rerank' as const };
    const asked = {
      model: 'r',
      query: 'q',
      documents: ['a', { text: 'b' }],
      top_n: 1,
      return_documents: true,
    };
    expect(bedrock.address(of, cohere).url).toMatch(/cohere\.rerank-v3-5%3A0\/invoke$/);
    expect(writtenFor(bedrock, asked, cohere, of)).toEqual({
      query: 'q',
      documents: ['a', 'b'],
      top_n: 1,
      api_version: 2,
    });
    const amazon = { ...call('amazon.rerank-v1:0'), operation: 'rerank' as const };
    expect(writtenFor(bedrock, { query: 'q', documents: ['a'] }, amazon, of)).toEqual({
      query: 'q',
      documents: ['a'],
    });
    const results = [{ index: 1, relevance_score: 0.9 }];
    expect(bedrock.offers[cohere.operation]?.read?.({ results }, cohere, asked)).toEqual({
      model: 'r',
      results: [{ index: 1, relevance_score: 0.9, document: { text: 'b' } }],
    });
    expect(bedrock.offers[cohere.operation]?.read?.({ message: 'no' }, cohere, asked)).toEqual({
      message: 'no',
    });
  });

  test('an API key of its own as it is', async () => {
    const of = channel('ABSKexample|eu-west-1');
    const request = { method: 'POST' as const, url: 'https://x.example', headers: {}, body: '{}' };
    expect(await bedrock.authorize?.(request, of, tools)).toMatchObject({
      headers: { authorization: 'Bearer ABSKexample' },
    });
  });
});
