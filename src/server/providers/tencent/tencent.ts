import type { Channel } from '#core/channel/channel.ts';
import { type AuthorizeTools, type OutboundRequest, signedBody } from '#core/outbound/outbound.ts';
import type { UpstreamCall } from '../../dialects/upstream.ts';
import { PAYMENT_REQUIRED } from '../shared/description/error-patterns.ts';
import { withoutDeveloper } from '../shared/chat/adjust-chat.ts';
import { baseUrlOf } from '../shared/description/base-url.ts';
import { openaiLayout, PATHS } from '../shared/description/openai-layout.ts';
import { named } from '../shared/description/model-lists.ts';
import { signTencent } from './sign.ts';
import { tencentChat } from './tencent-chat.ts';

const SERVICE = 'hunyuan';
/** The host for keys that sign, in mainland China. */
const SIGNED_HOST = 'https://hunyuan.tencentcloudapi.com';

/** The parts of a key that signs; undefined for an API key. */
const signingKey = (channel: Channel): { readonly id: string; readonly secret: string } | undefined => {
  const parts = channel.key.reveal().trim().split('|');
  const [id, secret] = parts.slice(-2);
  return parts.length < 2 || id === undefined || secret === undefined ? undefined : { id, secret };
};

const signed = (request: OutboundRequest, channel: Channel, { nowMs }: AuthorizeTools): OutboundRequest => {
  const key = signingKey(channel);
  if (key === undefined) return request;
  const authorization = signTencent({
    secretId: key.id,
    secretKey: key.secret,
    host: new URL(request.url).host,
    service: SERVICE,
    body: signedBody(request),
    nowMs,
  });
  return {
    ...request,
    headers: { ...request.headers, authorization, 'x-tc-timestamp': String(Math.trunc(nowMs / 1000)) },
  };
};

const signedAddress = (channel: Channel): string =>
  `${channel.baseUrl === '' ? SIGNED_HOST : baseUrlOf(channel)}/`;

/** Whether it is a chat under a key that signs, which goes to the former API. */
const isSignedChat = (channel: Channel, { operation }: UpstreamCall): boolean =>
  operation === 'chat' && signingKey(channel) !== undefined;

/**
 * Tencent: TokenHub (cloud.tencent.com/document/product/1823, 1823/131595), in OpenAI's and Anthropic's formats, under an
 * API key. A key `AppId|SecretId|SecretKey` signs requests to the former Hunyuan API, which ended for most customers in
 * September 2026 (cloud.tencent.com/document/product/1729); the AppId is no longer needed.
 */
export const tencent = openaiLayout({
  types: [23],
  key: { authorize: signed },
  keyFor: (channel, call) => (isSignedChat(channel, call) ? undefined : 'bearer'),
  prefix: '/v1',
  dialectFor: (_, channel) => (signingKey(channel) === undefined ? undefined : tencentChat),
  headers: (channel, call): Record<string, string> =>
    isSignedChat(channel, call) ? { 'x-tc-action': 'ChatCompletions', 'x-tc-version': '2023-09-01' } : {},
  offers: {
    chat: {
      path: (call, channel) => (isSignedChat(channel, call) ? signedAddress(channel) : `/v1${PATHS.chat}`),
      write: withoutDeveloper,
    },
    models: {},
  },
  natives: { responses: '/v1/responses', messages: '/v1/messages' },
  // A model that was not purchased has the type `permission_error`.
  errorPatterns: { ...PAYMENT_REQUIRED, key: /^\[401\]/ },
  // cloud.tencent.com/document/product/1823/130078; the hunyuan names are those of a signed key (1729/104753)
  models:
    named(`hy4-preview hy3 hunyuan-2.0-thinking-20251109 hunyuan-2.0-instruct-20251111 hunyuan-role-latest
    deepseek-v4-pro deepseek-v4-flash deepseek-v3.2 glm-5.3 glm-5.2 kimi-k3 kimi-k2.6 minimax-m3 minimax-m2.7
    hunyuan-turbos-latest hunyuan-t1-latest hunyuan-lite hunyuan-embedding`),
});
