import { AppError } from '#core/error.ts';
import type { OutboundReply } from '#core/outbound.ts';
import { fieldsOf, textOf, type Fields } from '#core/json/fields.ts';
import { bytesReply, readJson, wholeReply } from './synthetic-reply.ts';

const MAX_REPLY_BYTES = 64 * 1024 * 1024;

const TYPES: Readonly<Record<string, string>> = {
  mp3: 'audio/mpeg',
  wav: 'audio/wav',
  flac: 'audio/flac',
  pcm: 'audio/pcm',
  opus: 'audio/ogg',
};

/** Unpacks the audio that a JSON reply holds; a reply without audio passes unchanged. */
export const audioReply = async (
  reply: OutboundReply,
  audioIn: (answer: Fields) => Buffer,
  format: string,
): Promise<OutboundReply> => {
  if (reply.status < 200 || reply.status >= 300) return reply;
  const answer = fieldsOf(await readJson(reply, MAX_REPLY_BYTES));
  const audio = audioIn(answer);
  if (audio.length === 0) return wholeReply(reply.status, answer);
  return bytesReply(audio, TYPES[format] ?? 'application/octet-stream');
};

/** Throws `invalid_request` for streamed speech, at upstreams that only answer whole. */
export const refuseStreamedSpeech = (body: Fields): void => {
  if (body['stream_format'] !== 'sse' && body['stream'] !== true) return;
  const param = body['stream'] === true ? 'stream' : 'stream_format';
  throw new AppError('invalid_request', `${param}: this upstream speaks whole`, { param });
};

/** The name of a voice, or the id of a custom one. */
export const voiceOf = ({ voice }: Fields): string | undefined =>
  textOf(voice) ?? textOf(fieldsOf(voice)['id']);
