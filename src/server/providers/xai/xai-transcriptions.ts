import { randomUUID } from 'node:crypto';
import type { OutboundRequest } from '#core/outbound/outbound.ts';
import { type Fields, fieldsOf, listOf, textOf } from '#core/json/fields.ts';
import { filesOf } from '../shared/request/form-files.ts';
import { sentFields } from '../shared/request/sent-fields.ts';
import { refuseAsked } from '../shared/request/refuse-asked.ts';
import { cannot } from '../shared/request/cannot.ts';

/**
 * Transcriptions (docs.x.ai/developers, speech to text). xAI takes a form with other fields, and the file must come last.
 * Callers send parts in any order, so the form is written anew.
 */
/** The fields it accepts next to the file. */
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
 * The fields of the form, with the file in base64; `asForm` turns them into a form. Throws `invalid_request` for reply
 * formats other than JSON, and for a call without audio.
 */
export const writeTranscription = (body: Fields): Fields => {
  const [file] = filesOf(body) ?? [];
  if (file === undefined) throw cannot('file', 'no sound came with this call');
  if (!ANSWERS.has(body['response_format'])) throw cannot('response_format', 'this upstream answers in json');
  if (body['stream'] === true) throw cannot('stream', 'this upstream answers whole');
  const timed = body['timestamp_granularities[]'] ?? body['timestamp_granularities'] ?? 'word';
  if (timed !== 'word') throw cannot('timestamp_granularities', 'this upstream times words');
  refuseAsked(body, ['prompt', 'include', 'known_speaker_names', 'known_speaker_references']);
  const known = KNOWN.flatMap((name) => (body[name] === undefined ? [] : [[name, body[name]] as const]));
  const { filename, mediaType, bytes } = file;
  return { ...Object.fromEntries(known), file: { filename, mediaType, data: bytes.toString('base64') } };
};

/** Turns the request of `writeTranscription` into a form, with a random boundary. */
export const asForm = (request: OutboundRequest): OutboundRequest => {
  const { file, ...fields } = sentFields(request);
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

/** The transcript in OpenAI's format; a refusal passes unchanged. */
export const readTranscription = (reply: unknown, asked: Fields): unknown => {
  const { text, language, duration, words } = fieldsOf(reply);
  if (typeof text !== 'string') return reply;
  const usage = typeof duration === 'number' ? { usage: { type: 'duration', seconds: duration } } : undefined;
  if (asked['response_format'] !== 'verbose_json') return { text, ...usage };
  const timedWords = listOf(words).map((timed) => {
    const { text: word, ...others } = fieldsOf(timed);
    return { word, ...others };
  });
  return { task: 'transcribe', language, duration, text, words: timedWords, ...usage };
};
