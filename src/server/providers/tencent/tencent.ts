import { AppError } from '#core/error.ts';
import { baseUrlOf, contentHeaders } from '../openai-layout.ts';
import type { Provider } from '../provider.ts';
import { signTencent } from './sign.ts';
import { tencentChat } from './tencent-chat.ts';

const SERVICE = 'hunyuan';

/** Tencent Hunyuan's own interface. The key is `AppId|SecretId|SecretKey`; the first is not needed any more. */
export const tencent: Provider = {
  dialect: tencentChat,
  operations: ['chat'],
  address: (channel, call) => ({
    url: `${baseUrlOf(channel)}/`,
    headers: {
      ...contentHeaders(call),
      'x-tc-action': 'ChatCompletions',
      'x-tc-version': '2023-09-01',
    },
  }),
  authorize: (request, channel, { nowMs }) => {
    const parts = channel.key.reveal().trim().split('|');
    const [secretId, secretKey] = parts.slice(-2);
    if (secretId === undefined || secretKey === undefined)
      throw new AppError('upstream_failed', 'the key of the channel is not AppId|SecretId|SecretKey', {
        upstream: { status: 0, code: 'invalid_api_key', message: 'the key has another form' },
      });
    const { host } = new URL(request.url);
    const authorization = signTencent({
      secretId,
      secretKey,
      host,
      service: SERVICE,
      body: request.body ?? '',
      nowMs,
    });
    return {
      ...request,
      headers: { ...request.headers, authorization, 'x-tc-timestamp': String(Math.trunc(nowMs / 1000)) },
    };
  },
};
