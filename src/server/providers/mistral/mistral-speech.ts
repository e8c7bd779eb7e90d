import type { AuthorizeTools, OutboundReply, OutboundRequest } from '#core/outbound.ts';
import { textOf, type Fields } from '../../dialects/openai/fields.ts';
import { requireWholeSpeech, soundReply, voiceOf } from '../sound-reply.ts';
import { writtenFields } from '../written-fields.ts';

/** Speech (docs.mistral.ai/studio/audio/text-to-speech/generate-speech): OpenAI's but for the voice, answered in JSON. */
export const writeSpeech = (body: Fields): Fields => {
  requireWholeSpeech(body);
  const { voice: _, stream_format: _sse, ...rest } = body;
  const voice = voiceOf(body);
  return { ...rest, ...(voice !== undefined && { voice_id: voice }), response_format: formatOf(body) };
};

const formatOf = (body: Fields): string => textOf(body['response_format']) ?? 'mp3';

const soundIn = (answer: Fields): Buffer => Buffer.from(textOf(answer['audio_data']) ?? '', 'base64');

export const speak = async (request: OutboundRequest, tools: AuthorizeTools): Promise<OutboundReply> => {
  const reply = await tools.send(request, tools.signal);
  return soundReply(reply, soundIn, formatOf(writtenFields(request)));
};
