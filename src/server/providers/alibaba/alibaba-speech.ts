import { AppError } from '#core/error.ts';
import type { AuthorizeTools, OutboundReply, OutboundRequest } from '#core/outbound.ts';
import { readAll } from '#core/read-all.ts';
import { fieldsOf, textOf, type Fields } from '../../dialects/openai/fields.ts';
import { bytesReply, readJson, wholeReply } from '../made-reply.ts';
import { requireWholeSpeech, voiceOf } from '../sound-reply.ts';

/**
 * Speech of Qwen (www.alibabacloud.com/help/en/model-studio/qwen-tts), asked for in OpenAI's form: it is told where its
 * sound is, for a day, and that is always WAV.
 */

const MAX_SOUND_BYTES = 64 * 1024 * 1024;

export const writeSpeech = (body: Fields): Fields => {
  requireWholeSpeech(body);
  const format = textOf(body['response_format']);
  if (format !== undefined && format !== 'wav')
    throw new AppError('invalid_request', `response_format: this upstream speaks in wav, not in ${format}`, {
      param: 'response_format',
    });
  const { instructions, language_type: language } = body;
  return {
    model: body['model'],
    input: {
      text: body['input'],
      voice: voiceOf(body),
      ...(language !== undefined && { language_type: language }),
      ...(instructions !== undefined && { instructions }),
    },
  };
};

/** Whether a request of this provider's own form is one for speech. */
export const isSpeech = ({ body }: OutboundRequest): boolean =>
  typeof body === 'string' && fieldsOf(fieldsOf(JSON.parse(body))['input'])['text'] !== undefined;

export const speak = async (request: OutboundRequest, tools: AuthorizeTools): Promise<OutboundReply> => {
  const told = await tools.send(request, tools.signal);
  if (told.status < 200 || told.status >= 300) return told;
  const answer = fieldsOf(await readJson(told));
  const url = textOf(fieldsOf(fieldsOf(answer['output'])['audio'])['url']);
  if (url === undefined) return wholeReply(told.status, answer);
  const { body: _, ...rest } = request;
  // The sound is at another host, and its address is its own proof: the key stays here.
  const reply = await tools.send({ ...rest, method: 'GET', url, headers: { accept: '*/*' } }, tools.signal);
  const sound = reply.status === 200 ? await readAll(reply.body, MAX_SOUND_BYTES) : undefined;
  if (sound !== undefined) return bytesReply(sound, 'audio/wav');
  const message = 'the sound that was made could not be fetched';
  throw new AppError('upstream_failed', message, { upstream: { status: reply.status, message } });
};
