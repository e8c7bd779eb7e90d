import { dataUrl, filesOf } from '../shared/request/form-files.ts';
import { fieldsOf, listOf, textOf, type Fields, wordOf } from '#core/json/fields.ts';
import { OF_JSON, refuseAsked } from '../shared/request/refuse-asked.ts';
import { cannot } from '../shared/request/cannot.ts';

/**
 * Transcriptions by Qwen's models (www.alibabacloud.com/help/en/model-studio/qwen-asr-api-reference, compatible with
 * OpenAI): the audio is sent in a chat, whose answer is the transcript.
 */

const CHATS = /^qwen\d.*-asr-flash(?!-filetrans|-realtime)/;

/** Throws `invalid_request` for models with another API, and for reply formats other than JSON. */
export const writeTranscription = (body: Fields): Fields => {
  const [file] = filesOf(body) ?? [];
  const { model, language, prompt, response_format: format = 'json' } = body;
  if (file === undefined) throw cannot('file', 'no sound came with this call');
  if (!CHATS.test(wordOf(model)))
    throw cannot('model', `${wordOf(model)} writes down no sound of a call here: qwen3-asr-flash does`);
  if (format !== 'json') throw cannot('response_format', 'this upstream answers in json');
  if (body['stream'] === true) throw cannot('stream', 'this upstream answers whole');
  refuseAsked(body, OF_JSON);
  const context = textOf(prompt);
  return {
    model,
    stream: false,
    messages: [
      ...(context === undefined ? [] : [{ role: 'system', content: [{ type: 'text', text: context }] }]),
      { role: 'user', content: [{ type: 'input_audio', input_audio: { data: dataUrl(file) } }] },
    ],
    asr_options: { ...(language !== undefined && { language }), enable_itn: false },
  };
};

/** The transcript and the seconds of audio; a refusal passes unchanged. */
export const readTranscription = (body: unknown): unknown => {
  const answer = fieldsOf(body);
  const { content } = fieldsOf(fieldsOf(listOf(answer['choices'])[0])['message']);
  if (typeof content !== 'string') return body;
  const { seconds } = fieldsOf(answer['usage']);
  return { text: content, ...(typeof seconds === 'number' && { usage: { type: 'duration', seconds } }) };
};
