import { randomUUID } from 'node:crypto';
import { AppError } from '#core/error.ts';
import type { OutboundRequest } from '#core/outbound.ts';
import { fieldsOf, listOf, textOf, type Fields } from '../../dialects/openai/fields.ts';
import { filesOf } from '../form-files.ts';
import { writtenFields } from '../written-fields.ts';

/**
 * Speech to text (docs.x.ai/developers, speech to text): a form with a few fields of its own, whose file must stand behind
 * them all. Callers send theirs in any order, so it is written again.
 */
export const TRANSCRIPTION_PATH = '/v1/stt';

/** What it reads of the caller's fields, beside the file. */
const KNOWN = [
  'model',
  'language',
  'format',
  'diarize',
  'multichannel',
  'channels',
  'keyterm',
  'audio_format',
  'sample_rate',
];

const ANSWERS: ReadonlySet<unknown> = new Set([undefined, 'json', 'verbose_json']);

/**
 * The form as fields, with its file in base64; `asForm` makes a form of it. Throws `invalid_request` for answers in other
 * forms than JSON, and for a call without a sound.
 */
export const writeTranscription = (body: Fields): Fields => {
  const [file] = filesOf(body) ?? [];
  if (file === undefined) throw cannot('file', 'no sound came with this call');
  if (!ANSWERS.has(body['response_format'])) throw cannot('response_format', 'this upstream answers in json');
  if (body['stream'] === true) throw cannot('stream', 'this upstream answers whole');
  const known = KNOWN.flatMap((name) => (body[name] === undefined ? [] : [[name, body[name]] as const]));
  const { filename, mediaType, bytes } = file;
  return { ...Object.fromEntries(known), file: { filename, mediaType, data: bytes.toString('base64') } };
};

const cannot = (param: string, why: string): AppError =>
  new AppError('invalid_request', `${param}: ${why}`, { param });

/** The request that `writeTranscription` wrote, as the form it stands for. Nobody can guess where its parts end. */
export const asForm = (request: OutboundRequest): OutboundRequest => {
  const { file, ...fields } = writtenFields(request);
  const { filename, mediaType, data } = fieldsOf(file);
  const boundary = randomUUID();
  const parts = Object.entries(fields).map(
    ([name, value]) =>
      `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${String(value)}\r\n`,
  );
  const name = (textOf(filename) ?? 'sound').replaceAll(/["\r\n]/g, '_');
  const head =
    `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="${name}"\r\n` +
    `content-type: ${textOf(mediaType) ?? 'application/octet-stream'}\r\n\r\n`;
  const sound = Buffer.from(textOf(data) ?? '', 'base64');
  return {
    ...request,
    headers: { ...request.headers, 'content-type': `multipart/form-data; boundary=${boundary}` },
    body: Buffer.concat([Buffer.from(parts.join('') + head), sound, Buffer.from(`\r\n--${boundary}--\r\n`)]),
  };
};

/** What was heard, in OpenAI's words; a refusal as it is. */
export const readTranscription = (reply: unknown, asked: Fields): unknown => {
  const { text, language, duration, words } = fieldsOf(reply);
  if (typeof text !== 'string') return reply;
  const usage = typeof duration === 'number' ? { usage: { type: 'duration', seconds: duration } } : undefined;
  if (asked['response_format'] !== 'verbose_json') return { text, ...usage };
  const heard = listOf(words).map((word) => {
    const { text: said, ...others } = fieldsOf(word);
    return { word: said, ...others };
  });
  return { task: 'transcribe', language, duration, text, words: heard, ...usage };
};
