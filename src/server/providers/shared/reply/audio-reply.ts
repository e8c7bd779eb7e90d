import { AppError } from '#core/error.ts';
import type { AuthorizeTools, OutboundReply } from '#core/outbound/outbound.ts';
import { parsed } from '#contract/json-text.ts';
import { ownOf, fieldsOf, textOf, type Fields } from '#core/json/fields.ts';
import { readAll } from '#core/read-all.ts';
import { bytesReply, wholeReply } from './synthetic-reply.ts';

const MAX_REPLY_BYTES = 64 * 1024 * 1024;

const TYPES: Readonly<Record<string, string>> = {
  mp3: 'audio/mpeg',
  wav: 'audio/wav',
  flac: 'audio/flac',
  pcm: 'audio/pcm',
  opus: 'audio/ogg',
};

/** Reads a reply of up to 64 MiB; undefined if it is longer. Throws `unavailable` if there is no memory for it. */
export const readLarge = (
  { body }: OutboundReply,
  { readWhole }: AuthorizeTools,
): Promise<Buffer | undefined> =>
  readWhole === undefined ? readAll(body, MAX_REPLY_BYTES) : readWhole(body);

/** Unpacks the audio that a JSON reply holds; a reply without audio passes unchanged. */
export const audioReply = async (
  reply: OutboundReply,
  audioIn: (answer: Fields) => Buffer,
  format: string,
  tools: AuthorizeTools,
): Promise<OutboundReply> => {
  if (reply.status < 200 || reply.status >= 300) return reply;
  const bytes = await readLarge(reply, tools);
  const answer = fieldsOf(bytes === undefined ? undefined : parsed(bytes.toString()));
  const audio = audioIn(answer);
  if (audio.length === 0) return wholeReply(reply.status, answer);
  return bytesReply(audio, ownOf(TYPES, format) ?? 'application/octet-stream');
};

/** Throws `invalid_request` for streamed speech, at upstreams that only answer whole. */
export const refuseStreamedSpeech = (body: Fields): void => {
  if (body['stream_format'] !== 'sse' && body['stream'] !== true) return;
  const param = body['stream'] === true ? 'stream' : 'stream_format';
  throw new AppError('invalid_request', `${param}: this upstream does not stream speech`, { param });
};

/** The name of a voice, or the id of a custom one. */
export const voiceOf = ({ voice }: Fields): string | undefined =>
  textOf(voice) ?? textOf(fieldsOf(voice)['id']);
