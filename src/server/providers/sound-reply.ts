import { AppError } from '#core/error.ts';
import type { OutboundReply } from '#core/outbound.ts';
import { fieldsOf, textOf, type Fields } from '../dialects/openai/fields.ts';
import { bytesReply, readJson, wholeReply } from './made-reply.ts';

const MAX_REPLY_BYTES = 64 * 1024 * 1024;

const TYPES: Readonly<Record<string, string>> = {
  mp3: 'audio/mpeg',
  wav: 'audio/wav',
  flac: 'audio/flac',
  pcm: 'audio/pcm',
  opus: 'audio/ogg',
};

/** The sound that an answer in JSON holds, by itself; an answer that holds none as it is. */
export const soundReply = async (
  reply: OutboundReply,
  soundIn: (answer: Fields) => Buffer,
  format: string,
): Promise<OutboundReply> => {
  if (reply.status < 200 || reply.status >= 300) return reply;
  const answer = fieldsOf(await readJson(reply, MAX_REPLY_BYTES));
  const sound = soundIn(answer);
  if (sound.length === 0) return wholeReply(reply.status, answer);
  return bytesReply(sound, TYPES[format] ?? 'application/octet-stream');
};

/** Throws `invalid_request` where speech is wanted in pieces of an upstream that gives it whole. */
export const requireWholeSpeech = (body: Fields): void => {
  if (body['stream_format'] !== 'sse' && body['stream'] !== true) return;
  const param = body['stream'] === true ? 'stream' : 'stream_format';
  throw new AppError('invalid_request', `${param}: this upstream speaks whole`, { param });
};

/** The name of a voice, which may be one of the caller's own, told by its id. */
export const voiceOf = ({ voice }: Fields): string | undefined =>
  textOf(voice) ?? textOf(fieldsOf(voice)['id']);
