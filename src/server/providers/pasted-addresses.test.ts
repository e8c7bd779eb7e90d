import { expect, test } from 'vitest';
import type { DialectName } from '#core/chat/request.ts';
import { Secret } from '#core/secrets/secret.ts';
import { channelOf } from '#core/channel/testing/channel.ts';
import { providerOf } from './registry.ts';
import { operationsOf } from './testing/asked-of.ts';

/** Addresses as people paste them, from a provider's page or another client: no part of the path is ever doubled. */

const ACCOUNT = 'a1b2';
const KEYS: Readonly<Record<number, string>> = { 15: 'id|secret', 41: 'an-express-key' };

const urlOf = (
  type: number,
  baseUrl: string,
  operation: 'chat' | 'models' | 'embeddings' = 'chat',
  dialect: DialectName = 'openai-chat',
) =>
  providerOf(type)?.address(
    channelOf(type, { baseUrl, other: type === 39 ? ACCOUNT : '', key: new Secret(KEYS[type] ?? 'k') }),
    { operation, model: 'm', stream: false, dialect },
  ).url;

test.each([
  [
    3,
    'https://r.openai.azure.com',
    ['/openai', '/openai/v1', '/openai/deployments', '/openai/deployments/m', '/anthropic'],
  ],
  [15, 'https://aip.baidubce.com', ['/rpc/2.0/ai_custom/v1/wenxinworkshop', '/rpc/2.0']],
  [16, 'https://open.bigmodel.cn', ['/api', '/api/paas', '/api/paas/v4']],
  [17, 'https://dashscope-intl.aliyuncs.com', ['/compatible-mode', '/compatible-mode/v1']],
  [20, 'https://openrouter.ai/api', ['/v1']],
  [21, 'https://api.aiproxy.io', ['/api', '/api/library/ask']],
  [24, 'https://generativelanguage.googleapis.com', ['/v1', '/v1beta', '/v1beta/openai']],
  [34, 'https://api.cohere.com', ['/v1', '/v2', '/compatibility/v1']],
  [
    39,
    'https://api.cloudflare.com',
    ['/client/v4', `/client/v4/accounts/${ACCOUNT}/ai`, `/client/v4/accounts/${ACCOUNT}/ai/v1`],
  ],
  [41, 'https://aiplatform.googleapis.com', ['/v1', '/v1beta1']],
  [45, 'https://ark.cn-beijing.volces.com', ['/api', '/api/v3']],
  [49, 'https://api.coze.cn', ['/v3', '/v3/chat']],
  [56, 'https://api.replicate.com', ['/v1']],
  [100, 'https://api.groq.com', ['/openai', '/openai/v1']],
  [102, 'https://api.fireworks.ai', ['/inference', '/inference/v1']],
  [106, 'https://models.github.ai', ['/inference']],
] as const)('type %s: %s with any of %j', (type, root, pasted) => {
  const operations = operationsOf(type);
  for (const operation of ['chat', 'models', 'embeddings'] as const) {
    if (!operations.includes(operation)) continue;
    const wanted = urlOf(type, root, operation);
    for (const path of pasted)
      for (const slash of ['', '/']) expect(urlOf(type, root + path + slash, operation)).toBe(wanted);
  }
});

test('a path that is not part of our own stays', () => {
  for (const [type, dialect, path] of [
    [16, 'openai-responses', '/api/v1/responses'],
    [17, 'anthropic-messages', '/apps/anthropic/v1/messages'],
    [35, 'anthropic-messages', '/anthropic/v1/messages'],
    [43, 'anthropic-messages', '/anthropic/v1/messages'],
    [108, 'gemini', '/v1beta/models/m:generateContent'],
  ] as const)
    for (const pasted of ['', '/v1', '/v2'])
      expect(urlOf(type, `https://gate.example/team${pasted}`, 'chat', dialect)).toBe(
        `https://gate.example/team${path}`,
      );
  expect(urlOf(17, 'https://gate.example/ali')).toBe(
    'https://gate.example/ali/compatible-mode/v1/chat/completions',
  );
  expect(urlOf(56, 'https://gate.example/replicate')).toBe('https://gate.example/replicate/v1/predictions');
  expect(urlOf(16, 'https://open.bigmodel.cn/api/coding/paas/v4')).toBe(
    'https://open.bigmodel.cn/api/coding/paas/v4/chat/completions',
  );
});

test('the account of a whole address is asked beside its chat, or at its host', () => {
  const asked = (baseUrl: string) =>
    providerOf(8)
      ?.balance?.requests(channelOf(8, { baseUrl }), 0)
      .map(({ url }) => url.replace(/\?.*/, ''));
  const paths = (root: string) =>
    ['subscription', 'usage'].map((name) => `${root}/v1/dashboard/billing/${name}`);
  expect(asked('https://gate.example/team/v1/chat/completions')).toEqual(paths('https://gate.example/team'));
  expect(asked('https://gate.example/openai/{model}/ask')).toEqual(paths('https://gate.example'));
});
