import type { Channel } from '#core/channel/channel.ts';
import { forLookAlikes } from '../shared/chat/adjust-chat.ts';
import { openaiLayout } from '../shared/description/openai-layout.ts';
import { named } from '../shared/description/model-lists.ts';
import { REFUSED, TOO_OFTEN } from './spark-messages.ts';
import { readSparkKey, speakSpark } from './spark-socket.ts';

/** Models by the API version they once had, which the channel's `other` and old model names still use. */
const BY_VERSION: Readonly<Record<string, string>> = {
  'v1.1': 'lite',
  'v2.1': 'generalv2',
  'v3.1': 'generalv3',
  'v3.1-128K': 'pro-128k',
  'v3.5': 'generalv3.5',
  'v3.5-32K': 'max-32k',
  'v4.0': '4.0Ultra',
};

const oneOf = (codes: readonly number[]): RegExp => new RegExp(`\\[(?:${codes.join('|')})\\]`);

const proofOf = (channel: Channel): string => {
  const key = readSparkKey(channel);
  return key === undefined ? channel.key.reveal().trim() : `${key.apiKey}:${key.secret}`;
};

/**
 * iFlytek Spark. A key of three parts, `APPID|APISecret|APIKey`, signs a WebSocket. What the WebSocket API does not accept
 * (tools, images, response formats) goes over HTTP in OpenAI's format, with `APIKey:APISecret` as bearer
 * (www.xfyun.cn/doc/spark/HTTP调用文档.html). With an APIPassword everything goes over HTTP.
 */
export const xunfei = openaiLayout({
  types: [18],
  // Reasoning models have version 2 of the API.
  prefix: ({ model }) => (/^(?:spark-)?x(?:\d|$)/i.test(model) ? '/v2' : '/v1'),
  schemasInWords: true,
  headers: (channel) => ({ authorization: `Bearer ${proofOf(channel)}` }),
  hasOwnEnvelope: true,
  offers: {
    chat: {
      write: (body, call, channel) => {
        const written = forLookAlikes(body);
        const model = domainOf(call.model, channel);
        return model === written['model'] ? written : { ...written, model };
      },
      deliver: speakSpark,
    },
  },
  // Error codes: not licensed for the model, or its quota used up. An answer may end with any of them.
  errorPatterns: {
    // With a date of another time the clock is wrong, and the key may be good.
    key: /\[(?:10015|10313)\]|HMAC signature(?!.*\bdate\b)/,
    billing: /\[(?:10016|11200)\]/,
    rateLimit: oneOf(TOO_OFTEN),
    request: oneOf(REFUSED),
  },
  // www.xfyun.cn/doc/spark: Web.html, X1http.html, Spark-X2.5.html
  models: named('spark-x2.5 spark-x 4.0Ultra max-32k generalv3.5 pro-128k generalv3 lite'),
});

/** The upstream's model name: `SparkDesk-v3.5` is `generalv3.5`; `SparkDesk` is the version in the channel's `other`. */
const domainOf = (model: string, channel: Channel): string => {
  const version = /^SparkDesk(?:-(v[\d.]+(?:-\d+K)?))?$/i.exec(model);
  return version === null ? model : (BY_VERSION[version[1] ?? channel.other.trim()] ?? model);
};
