import type { Channel } from '#core/channel/channel.ts';
import { adjustForLookAlikes } from '../adjust-chat.ts';
import { openaiLayout } from '../openai-layout.ts';
import type { Provider } from '../provider.ts';
import { readSparkKey, speakSpark } from './spark-socket.ts';

/** The names of models by the version of the interface they had, which `other` and old model names still say. */
const BY_VERSION: Readonly<Record<string, string>> = {
  'v1.1': 'lite',
  'v2.1': 'generalv2',
  'v3.1': 'generalv3',
  'v3.1-128K': 'pro-128k',
  'v3.5': 'generalv3.5',
  'v3.5-32K': 'max-32k',
  'v4.0': '4.0Ultra',
};

const proofOf = (channel: Channel): string => {
  const key = readSparkKey(channel);
  return key === undefined ? channel.key.reveal().trim() : `${key.apiKey}:${key.secret}`;
};

const layoutOf = (prefix: string): Provider =>
  openaiLayout({
    prefix,
    operations: ['chat'],
    schemasInWords: true,
    headers: (channel) => ({ authorization: `Bearer ${proofOf(channel)}` }),
  });

/**
 * iFlytek Spark. A key of three parts, `APPID|APISecret|APIKey`, signs and is spoken with over WebSockets, where tools
 * and pictures are not taken: those go over HTTP, as everything does with an APIPassword, in OpenAI's format
 * (www.xfyun.cn/doc/spark/HTTP调用文档.html), under `APIKey:APISecret`.
 */
export const xunfei: Provider = {
  ...layoutOf('/v1'),
  // Models that think are at the second version.
  address: (channel, call) =>
    layoutOf(/^(?:spark-)?x(?:\d|$)/i.test(call.model) ? '/v2' : '/v1').address(channel, call),
  hasOwnEnvelope: true,
  adjust: (body, call, channel) => {
    const adjusted = adjustForLookAlikes(body, call);
    const model = domainOf(call.model, channel);
    return model === adjusted['model'] ? adjusted : { ...adjusted, model };
  },
  deliver: speakSpark,
};

/** `SparkDesk-v3.5` is `generalv3.5` here, `SparkDesk` alone the version in the channel's `other`. */
const domainOf = (model: string, channel: Channel): string => {
  const version = /^SparkDesk(?:-(v[\d.]+(?:-\d+K)?))?$/i.exec(model);
  return version === null ? model : (BY_VERSION[version[1] ?? channel.other.trim()] ?? model);
};
