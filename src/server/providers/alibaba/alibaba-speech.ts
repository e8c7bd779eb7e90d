import { AppError } from '#core/error.ts';
import { type Fields, fieldsOf, textOf } from '#core/json/fields.ts';
import type { Offer } from '../../dialects/upstream.ts';
import { fetchMade } from './fetch-made.ts';
import { refuseAsked } from '../shared/request/refuse-asked.ts';
import { bytesReply, readJson, wholeReply } from '../shared/reply/synthetic-reply.ts';
import { refuseStreamedSpeech, voiceOf } from '../shared/reply/audio-reply.ts';

/**
 * Speech of Qwen (www.alibabacloud.com/help/en/model-studio/qwen-tts), for callers of OpenAI's speech API. Qwen replies
 * with a URL of the audio, valid for a day and always WAV.
 */

/** Throws `invalid_request` for a stream and for any format but WAV. */
export const writeSpeech = (body: Fields): Fields => {
  refuseStreamedSpeech(body);
  refuseAsked(body, ['speed']);
  const format = textOf(body['response_format']);
  if (format !== undefined && format !== 'wav')
    throw new AppError('invalid_request', `response_format: this upstream makes wav, not ${format}`, {
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

export const speak: NonNullable<Offer['deliver']> = async (request, _, tools) => {
  const speech = await tools.send(request, tools.signal);
  if (speech.status < 200 || speech.status >= 300) return speech;
  const answer = fieldsOf(await readJson(speech));
  const url = textOf(fieldsOf(fieldsOf(answer['output'])['audio'])['url']);
  if (url === undefined) return wholeReply(speech.status, answer);
  try {
    return bytesReply(await fetchMade(request, url, tools), 'audio/wav');
  } catch (thrown) {
    tools.noteWork?.();
    throw thrown;
  }
};
