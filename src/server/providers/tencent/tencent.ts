import type { Channel } from '#core/channel/channel.ts';
import { type OutboundRequest, signedBody } from '#core/outbound.ts';
import { withoutDeveloper } from '../adjust-chat.ts';
import { baseUrlOf, contentHeaders, openaiLayout } from '../openai-layout.ts';
import type { Provider } from '../provider.ts';
import { signTencent } from './sign.ts';
import { tencentChat } from './tencent-chat.ts';

const SERVICE = 'hunyuan';
/** Where keys that sign are taken, in mainland China. */
const SIGNED_HOST = 'https://hunyuan.tencentcloudapi.com';

/** What a key that signs says; undefined for one that is shown as it is. */
const signingKey = (channel: Channel): { readonly id: string; readonly secret: string } | undefined => {
  const parts = channel.key.reveal().trim().split('|');
  const [id, secret] = parts.slice(-2);
  return parts.length < 2 || id === undefined || secret === undefined ? undefined : { id, secret };
};

/** The platform of today, in OpenAI's and Anthropic's formats (cloud.tencent.com/document/product/1823). */
const tokenHub = openaiLayout({
  prefix: '/v1',
  operations: ['chat', 'models'],
  adjust: withoutDeveloper,
  natives: { responses: '/v1/responses', messages: '/v1/messages' },
});

/**
 * Tencent: TokenHub, under an API key. A key `AppId|SecretId|SecretKey`, whose first part is not needed any more, signs
 * Hunyuan's own interface before it, which ended for most in September 2026 (cloud.tencent.com/document/product/1729).
 */
export const tencent: Provider = {
  ...tokenHub,
  dialectFor: (_, channel) => (signingKey(channel) === undefined ? undefined : tencentChat),
  address: (channel, call) =>
    signingKey(channel) === undefined || call.operation !== 'chat'
      ? tokenHub.address(channel, call)
      : {
          url: `${channel.baseUrl === '' ? SIGNED_HOST : baseUrlOf(channel)}/`,
          headers: {
            ...contentHeaders(call),
            'x-tc-action': 'ChatCompletions',
            'x-tc-version': '2023-09-01',
          },
        },
  adjust: (body, call, channel) =>
    signingKey(channel) === undefined ? (tokenHub.adjust?.(body, call, channel) ?? body) : body,
  authorize: (request, channel, { nowMs }): OutboundRequest => {
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
  },
};
