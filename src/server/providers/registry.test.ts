import { describe, expect, test } from 'vitest';
import { channelTypes, midjourneyTypes, sunoTypes } from '#contract/channel-types.ts';
import type { Channel } from '#core/channel/channel.ts';
import { channelOf } from '#core/channel/testing/channel.ts';
import { Secret } from '#core/secrets/secret.ts';
import type { Operation } from '#core/operation.ts';
import type { UpstreamCall } from '../dialects/upstream.ts';
import { providerOf, providers } from './registry.ts';
import { everyWire } from './testing/every-wire.ts';

const call = (operation: Operation, model = 'm', { stream = false } = {}): UpstreamCall => ({
  operation,
  model,
  stream,
});

const addressOf = (of: Channel, addressed: UpstreamCall) => {
  const provider = providerOf(of.type);
  if (provider === undefined) throw new Error(`no provider for ${of.type}`);
  return provider.address(of, addressed);
};

const base = 'https://up.example';
const google = 'https://generativelanguage.googleapis.com';
const responses: UpstreamCall = { ...call('chat'), dialect: 'openai-responses' };

const messages: UpstreamCall = { ...call('chat'), dialect: 'anthropic-messages' };
const geminiCall: UpstreamCall = { ...call('chat', 'g'), dialect: 'gemini' };

const aws = { key: new Secret('ak|sk|us-east-1') };
const runtime = 'https://bedrock-runtime.us-east-1.amazonaws.com';

const expectations: readonly [number, Partial<Channel>, UpstreamCall, string][] = [
  [1, {}, call('chat'), 'https://api.openai.com/v1/chat/completions'],
  [1, {}, call('completions'), 'https://api.openai.com/v1/completions'],
  [1, {}, call('embeddings'), 'https://api.openai.com/v1/embeddings'],
  [1, {}, call('models'), 'https://api.openai.com/v1/models'],
  [1, { baseUrl: base }, call('chat'), `${base}/v1/chat/completions`],
  [1, { baseUrl: `${base}/proxy` }, call('chat'), `${base}/proxy/v1/chat/completions`],
  [1, { baseUrl: `${base}/v1` }, call('chat'), `${base}/v1/chat/completions`],
  [
    3,
    { baseUrl: base },
    call('chat', 'gpt-4.1 eu'),
    `${base}/openai/deployments/gpt-4.1%20eu/chat/completions?api-version=2025-04-01-preview`,
  ],
  [
    3,
    { baseUrl: base, other: '2024-10-21' },
    call('embeddings', 'e'),
    `${base}/openai/deployments/e/embeddings?api-version=2024-10-21`,
  ],
  [3, { baseUrl: base, other: 'v1' }, call('chat', 'x'), `${base}/openai/v1/chat/completions`],
  [4, {}, call('chat'), 'http://localhost:11434/v1/chat/completions'],
  [8, { baseUrl: `${base}/run/{model}?a=1` }, call('chat', 'a/b$&'), `${base}/run/a%2Fb%24%26?a=1`],
  [1, {}, responses, 'https://api.openai.com/v1/responses'],
  [3, { baseUrl: base }, responses, `${base}/openai/responses?api-version=2025-04-01-preview`],
  [3, { baseUrl: `${base}/openai/v1` }, call('chat', 'claude-opus-4-7'), `${base}/anthropic/v1/messages`],
  [4, {}, messages, 'http://localhost:11434/v1/messages'],
  [17, {}, messages, 'https://dashscope.aliyuncs.com/apps/anthropic/v1/messages'],
  [17, {}, responses, 'https://dashscope.aliyuncs.com/compatible-mode/v1/responses'],
  [20, {}, messages, 'https://openrouter.ai/api/v1/messages'],
  [20, {}, responses, 'https://openrouter.ai/api/v1/responses'],
  [25, { baseUrl: 'https://api.moonshot.ai/v1' }, messages, 'https://api.moonshot.ai/anthropic/v1/messages'],
  [26, {}, messages, 'https://open.bigmodel.cn/api/anthropic/v1/messages'],
  [26, { baseUrl: 'https://api.z.ai/api/paas/v4' }, messages, 'https://api.z.ai/api/anthropic/v1/messages'],
  [35, {}, responses, 'https://api.minimaxi.com/v1/responses'],
  [35, {}, messages, 'https://api.minimaxi.com/anthropic/v1/messages'],
  [40, {}, messages, 'https://api.siliconflow.cn/v1/messages'],
  [43, {}, messages, 'https://api.deepseek.com/anthropic/v1/messages'],
  [43, { baseUrl: `${base}/v1` }, responses, `${base}/responses`],
  [43, { baseUrl: `${base}/v1` }, call('completions'), `${base}/beta/completions`],
  [45, {}, responses, 'https://ark.cn-beijing.volces.com/api/v3/responses'],
  [100, {}, responses, 'https://api.groq.com/openai/v1/responses'],
  [102, {}, messages, 'https://api.fireworks.ai/inference/v1/messages'],
  [105, {}, responses, 'https://router.huggingface.co/v1/responses'],
  [107, {}, messages, 'https://ai-gateway.vercel.sh/v1/messages'],
  [108, { baseUrl: base }, messages, `${base}/v1/messages`],
  [108, { baseUrl: `${base}/v1` }, geminiCall, `${base}/v1beta/models/g:generateContent`],
  [
    108,
    { baseUrl: base },
    { ...geminiCall, stream: true },
    `${base}/v1beta/models/g:streamGenerateContent?alt=sse`,
  ],
  [14, {}, call('chat'), 'https://api.anthropic.com/v1/messages'],
  [14, { baseUrl: `${base}/v1` }, call('models'), `${base}/v1/models?limit=1000`],
  [24, {}, call('chat', 'g/1'), `${google}/v1beta/models/g%2F1:generateContent`],
  [24, {}, call('chat', 'g', { stream: true }), `${google}/v1beta/models/g:streamGenerateContent?alt=sse`],
  [24, {}, call('embeddings', 'e'), `${google}/v1beta/openai/embeddings`],
  [24, {}, call('models'), `${google}/v1beta/models?pageSize=1000`],
  [17, {}, call('chat'), 'https://dashscope.aliyuncs.com/compatible-mode/v1/chat/completions'],
  [17, {}, call('embeddings'), 'https://dashscope.aliyuncs.com/compatible-mode/v1/embeddings'],
  [19, {}, call('chat'), 'https://api.360.cn/v1/chat/completions'],
  [
    11,
    {},
    call('chat', 'gemini-2.5-flash'),
    'https://generativelanguage.googleapis.com/v1beta/models/gemini-2.5-flash:generateContent',
  ],
  [
    15,
    {},
    call('chat', 'ERNIE-4.0-8K'),
    'https://aip.baidubce.com/rpc/2.0/ai_custom/v1/wenxinworkshop/chat/completions_pro',
  ],
  [21, {}, call('chat'), 'https://api.aiproxy.io/api/library/ask'],
  [23, {}, call('chat'), 'https://tokenhub.tencentmaas.com/v1/chat/completions'],
  [23, { key: new Secret('1|id|secret') }, call('chat'), 'https://hunyuan.tencentcloudapi.com/'],
  [33, aws, call('chat', 'claude-opus-4-7'), `${runtime}/model/us.anthropic.claude-opus-4-7/invoke`],
  [34, {}, call('chat'), 'https://api.cohere.ai/v2/chat'],
  [37, {}, call('chat'), 'https://api.dify.ai/v1/chat-messages'],
  [37, { baseUrl: `${base}/v1` }, call('chat'), `${base}/v1/chat-messages`],
  [49, {}, call('chat'), 'https://api.coze.cn/v3/chat'],
  [56, {}, call('chat', 'meta/llama'), 'https://api.replicate.com/v1/models/meta/llama/predictions'],
  [56, {}, call('chat', 'meta/llama:abc'), 'https://api.replicate.com/v1/predictions'],
  [16, {}, call('chat'), 'https://open.bigmodel.cn/api/paas/v4/chat/completions'],
  [18, {}, call('chat'), 'https://spark-api-open.xf-yun.com/v1/chat/completions'],
  [18, {}, call('chat', 'x1'), 'https://spark-api-open.xf-yun.com/v2/chat/completions'],
  [20, {}, call('chat'), 'https://openrouter.ai/api/v1/chat/completions'],
  [22, {}, call('chat'), 'https://cloud.fastgpt.cn/api/v1/chat/completions'],
  [27, {}, call('chat'), 'https://api.perplexity.ai/v1/responses'],
  [27, { baseUrl: `${base}/v1` }, call('models'), `${base}/v1/models`],
  [
    39,
    { other: 'account' },
    call('chat'),
    'https://api.cloudflare.com/client/v4/accounts/account/ai/v1/chat/completions',
  ],
  [48, {}, call('chat'), 'https://api.x.ai/v1/chat/completions'],
  [48, {}, call('transcriptions'), 'https://api.x.ai/v1/stt'],
  [48, {}, call('realtime', 'grok-voice-latest'), 'https://api.x.ai/v1/realtime?model=grok-voice-latest'],
  [107, {}, call('rerank'), 'https://ai-gateway.vercel.sh/v1/rerank'],
  [100, {}, call('chat'), 'https://api.groq.com/openai/v1/chat/completions'],
  [101, {}, call('models'), 'https://api.together.ai/v1/models'],
  [102, {}, call('chat'), 'https://api.fireworks.ai/inference/v1/chat/completions'],
  [103, {}, call('chat'), 'https://api.cerebras.ai/v1/chat/completions'],
  [104, {}, call('embeddings'), 'https://integrate.api.nvidia.com/v1/embeddings'],
  [
    104,
    {},
    call('rerank', 'nvidia/llama-3.2-nv-rerankqa-1b-v2'),
    'https://ai.api.nvidia.com/v1/retrieval/nvidia/llama-3_2-nv-rerankqa-1b-v2/reranking',
  ],
  [104, { baseUrl: base }, call('rerank'), `${base}/v1/ranking`],
  [105, {}, call('chat'), 'https://router.huggingface.co/v1/chat/completions'],
  [106, {}, call('chat'), 'https://models.github.ai/inference/chat/completions'],
  [106, {}, call('models'), 'https://models.github.ai/catalog/models'],
  [109, {}, call('chat'), 'https://api.deepinfra.com/v1/openai/chat/completions'],
  [110, {}, call('chat'), 'https://api.sambanova.ai/v1/chat/completions'],
  [107, {}, call('chat'), 'https://ai-gateway.vercel.sh/v1/chat/completions'],
  [108, { baseUrl: base }, call('chat'), `${base}/v1/chat/completions`],
  [25, {}, call('chat'), 'https://api.moonshot.cn/v1/chat/completions'],
  [26, {}, call('chat'), 'https://open.bigmodel.cn/api/paas/v4/chat/completions'],
  [26, {}, call('embeddings'), 'https://open.bigmodel.cn/api/paas/v4/embeddings'],
  [31, {}, call('chat'), 'https://api.lingyiwanwu.com/v1/chat/completions'],
  [35, {}, call('chat'), 'https://api.minimaxi.com/v1/chat/completions'],
  [38, {}, call('embeddings'), 'https://api.jina.ai/v1/embeddings'],
  [40, {}, call('chat'), 'https://api.siliconflow.cn/v1/chat/completions'],
  [
    41,
    { other: 'us-east5', key: new Secret('express-key') },
    call('chat', 'gemini-2.5-flash', { stream: true }),
    'https://aiplatform.googleapis.com/v1/publishers/google/models/gemini-2.5-flash:streamGenerateContent?alt=sse',
  ],
  [42, {}, call('chat'), 'https://api.mistral.ai/v1/chat/completions'],
  [43, {}, call('chat'), 'https://api.deepseek.com/v1/chat/completions'],
  [43, {}, call('completions'), 'https://api.deepseek.com/beta/completions'],
  [44, {}, call('embeddings'), 'https://api.moka.ai/v1/embeddings'],
  [45, {}, call('chat', 'bot-2025-x'), 'https://ark.cn-beijing.volces.com/api/v3/bots/chat/completions'],
  [27, {}, call('embeddings'), 'https://api.perplexity.ai/v1/embeddings'],
  [47, { baseUrl: base }, call('chat'), `${base}/v1/chat/completions`],
  [45, {}, call('chat'), 'https://ark.cn-beijing.volces.com/api/v3/chat/completions'],
  [45, { baseUrl: `${base}/api/v3` }, call('chat'), `${base}/api/v3/chat/completions`],
  // Plans for coding have addresses and versions of their own.
  [45, { baseUrl: `${base}/api/coding/v3` }, call('chat'), `${base}/api/coding/v3/chat/completions`],
  [
    26,
    { baseUrl: `${base}/api/coding/paas/v4` },
    call('chat'),
    `${base}/api/coding/paas/v4/chat/completions`,
  ],
  [
    26,
    { baseUrl: `${base}/api/coding/paas/v4` },
    { ...call('chat'), dialect: 'anthropic-messages' },
    `${base}/api/anthropic/v1/messages`,
  ],
  [1, { baseUrl: `${base}/api/v3` }, call('chat'), `${base}/api/v3/chat/completions`],
  [46, {}, call('chat'), 'https://qianfan.baidubce.com/v2/chat/completions'],
];

describe('where calls go', () => {
  test.each(expectations)('type %i %j %j', (type, changes, addressed, url) => {
    expect(addressOf(channelOf(type, changes), addressed).url).toBe(url);
  });

  test.each(everyWire)('$name: a chat goes to the path of its reference', (wire) => {
    const { type, key, other, model, chat } = wire;
    const channel = channelOf(type, { baseUrl: base, key: new Secret(key), other: other ?? '' });
    // The address of a custom channel is the whole of it.
    const address = type === 8 ? { ...channel, baseUrl: `${base}/whole/{model}/address` } : channel;
    const { pathname, search } = new URL(addressOf(address, call('chat', model)).url);
    expect(pathname + search).toBe(chat.replace('?access_token=24.t', ''));
  });

  test('every channel type that is no task has exactly one provider', () => {
    const tasks = new Set<number>([...midjourneyTypes, ...sunoTypes]);
    const relayed = channelTypes.map(({ id }) => id).filter((id) => !tasks.has(id));
    const provided = providers.flatMap(({ types }) => types);
    expect([provided.length, new Set(provided)]).toEqual([relayed.length, new Set(relayed)]);
  });

  test.each([2, 99])('type %i, which is not relayed, has no provider', (type) => {
    expect(providerOf(type)).toBeUndefined();
  });
});

describe('what is sent along', () => {
  test('the key goes where each kind reads it, and nowhere when there is none', () => {
    expect(addressOf(channelOf(1), call('chat')).headers).toEqual({
      'content-type': 'application/json',
      accept: 'application/json',
      authorization: 'Bearer secret-key',
    });
    const azure = addressOf(channelOf(3, { baseUrl: base }), call('chat')).headers;
    expect(azure['api-key']).toBe('secret-key');
    expect(azure['authorization']).toBeUndefined();
    expect(
      addressOf(channelOf(4, { key: new Secret('') }), call('chat')).headers['authorization'],
    ).toBeUndefined();
  });

  test('a stream asks for one', () => {
    expect(addressOf(channelOf(1), call('chat', 'm', { stream: true })).headers['accept']).toBe(
      'text/event-stream',
    );
  });

  test('only OpenAI is told the organization', () => {
    expect(
      addressOf(channelOf(1, { organization: 'org-1' }), call('chat')).headers['openai-organization'],
    ).toBe('org-1');
    expect(
      addressOf(channelOf(43, { organization: 'org-1' }), call('chat')).headers['openai-organization'],
    ).toBeUndefined();
  });
});
