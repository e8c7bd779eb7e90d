import { z } from 'zod';
import { completionTokens, noUsage, promptTokens, type Usage } from '#core/chat/usage.ts';
import { believedReport } from '#core/quota/charge.ts';
import type { Wire } from '../dialect.ts';
import { modelName, parseBounds } from '../openai/bounds.ts';
import { readTranscriptionUsage } from '../openai-audio/transcriptions.ts';
import { type Fields, fieldsOf, listOf, textOf } from '#core/json/fields.ts';
import { readMediaUsage } from '../openai/usage/media-usage.ts';
import { parsedMessage } from './bounds.ts';
import { noInput, type CallerInput, MOST_TOKENS } from './caller-input.ts';
import { readSession, type Session } from './session.ts';
import { wholeWire } from '../openai/whole-wire.ts';

const bounds = z.object({ model: modelName });

/** OpenAI's own limit of one answer. */
const MAX_OUTPUT_TOKENS = 4096;
/** The assumed context before the first answer reports its usage. */
const FIRST_INPUT_TOKENS = 2048;

/** What an answer read of each kind. What came from a cache then may have to be read anew. */
const readBy = (usage: Usage) => {
  const { audioCacheReadTokens: cachedSound, imageCacheReadTokens: cachedPictures } = usage;
  return {
    cachedWords: Math.max(0, usage.cacheReadTokens - cachedSound - cachedPictures),
    sound: usage.audioInputTokens + cachedSound,
    pictures: usage.imageInputTokens + cachedPictures,
  };
};

/** The most a turn may use: the context before it, the caller's input since, and the longest spoken answer. */
export const turnUsage = (before: Usage | undefined, input: CallerInput): Usage => {
  const { inputTokens, audioInputTokens, outputTokens, audioOutputTokens } = before ?? noUsage;
  const { cachedWords, sound, pictures } = readBy(before ?? noUsage);
  const isFirst = before === undefined;
  const [leastText, leastSound] = isFirst
    ? [FIRST_INPUT_TOKENS, FIRST_INPUT_TOKENS]
    : [2 * inputTokens + cachedWords, audioInputTokens + sound + 1024];
  return {
    ...noUsage,
    inputTokens: Math.max(leastText, inputTokens + cachedWords + outputTokens + input.textTokens),
    audioInputTokens: Math.max(leastSound, sound + audioOutputTokens + input.audioTokens),
    imageInputTokens: pictures + input.pictureTokens,
    audioOutputTokens: MAX_OUTPUT_TOKENS,
  };
};

/** An answer with this id has begun; `format` is that of its sound, if it tells one. */
export interface Begun {
  readonly id: string | undefined;
  readonly format?: Session;
}

/** An answer with this id has ended. */
export interface Ended {
  readonly id: string | undefined;
  /** Its whole usage, if reported and believable. */
  readonly usage: Usage | undefined;
  /** It is no part of the conversation; undefined if the upstream does not say. */
  readonly isApart: boolean | undefined;
}

/** What one upstream message reports about a turn. */
export interface TappedMessage {
  readonly begun?: Begun;
  /** A message of the caller was refused. */
  readonly refused?: true;
  readonly done?: Ended;
  /** The answer that this says something of. */
  readonly answer?: string;
  /** Bytes of audio and of text in this delta. */
  readonly soundBytes?: number;
  readonly textBytes?: number;
  /** The bytes of a text that arrives whole: of a part as it ends, or of all parts of an answer as that ends. */
  readonly wholeBytes?: number;
  /** Usage of a transcription of the caller's audio, by a model of its own. */
  readonly transcription?: Usage;
  /** So many bytes more of this item are transcribed; none if that has ended. */
  readonly writing?: { readonly item: string; readonly bytes: number | undefined };
  /** The session has begun or changed. */
  readonly session?: Session;
}

/** The start of a message: its type comes first, or after its id, without escaped letters. */
const TYPE = /^\s*\{\s*(?:"event_id"\s*:\s*"[^"\\]*"\s*,\s*)?"type"\s*:\s*"([\w.]+)"/;
const TYPE_WITHIN_BYTES = 256;
/** The answer that a piece belongs to, which is told before what it says. */
const ANSWER = /"response_id"\s*:\s*"([^"\\]{1,200})"/;
const TRANSCRIPTION = /^conversation\.item\.input_audio_transcription\.(delta|completed|failed)$/;
const WHOLE = /^response\.(?:(?:output_)?(?:text|audio_transcript)|function_call_arguments)\.done$/;
const SESSION = /^(?:transcription_)?session\.(?:created|updated)$/;

/** The type of a message. The content may quote another type, so it is not searched for. */
const typeOf = (data: Buffer): string | undefined =>
  TYPE.exec(data.toString('latin1', 0, TYPE_WITHIN_BYTES))?.[1] ?? textOf(parsedMessage(data)?.['type']);

const answerOf = (data: Buffer): { readonly answer?: string } => {
  const answer = ANSWER.exec(data.toString('latin1', 0, TYPE_WITHIN_BYTES))?.[1];
  return answer === undefined ? {} : { answer };
};

/**
 * Reads the type and size of most messages, and the usage at the end of an answer. Throws `upstream_failed` for a message
 * that would take long to parse.
 */
export const tapMessage = (data: Buffer): TappedMessage | undefined => {
  const type = typeOf(data);
  if (type === undefined) return undefined;
  const transcription = TRANSCRIPTION.exec(type)?.[1];
  if (transcription !== undefined) return tapTranscript(transcription, parsedMessage(data) ?? {});
  if (type.endsWith('audio.delta')) return { ...answerOf(data), soundBytes: (data.length * 3) / 4 };
  if (type.endsWith('.delta'))
    return { ...answerOf(data), textBytes: Math.max(0, data.length - TYPE_WITHIN_BYTES) + 8 };
  if (SESSION.test(type)) return { session: readSession(fieldsOf(parsedMessage(data)?.['session'])) };
  if (type === 'error') return { refused: true };
  if (WHOLE.test(type)) return { ...answerOf(data), wholeBytes: wholeBytesOf(parsedMessage(data) ?? {}) };
  if (type !== 'response.created' && type !== 'response.done') return undefined;
  const response = fieldsOf(parsedMessage(data)?.['response']);
  const id = textOf(response['id']);
  return type === 'response.created'
    ? { begun: { id, ...(tellsFormat(response) && { format: readSession(response) }) } }
    : {
        done: { id, usage: readTurnUsage(response['usage']), isApart: isApart(response) },
        wholeBytes: listOf(response['output'])
          .map(fieldsOf)
          .flatMap((item) => [item, ...listOf(item['content']).map(fieldsOf)])
          .reduce((sum, part) => sum + wholeBytesOf(part), 0),
      };
};

const isApart = ({ conversation_id: conversation }: Fields): boolean | undefined =>
  conversation === undefined ? undefined : conversation === null;

const wholeBytesOf = (part: Fields): number =>
  Buffer.byteLength(textOf(part['text']) ?? textOf(part['transcript']) ?? textOf(part['arguments']) ?? '');

const tapTranscript = (how: string, event: Fields): TappedMessage => {
  const item = textOf(event['item_id']) ?? '';
  if (how === 'delta') return { writing: { item, bytes: Buffer.byteLength(textOf(event['delta']) ?? '') } };
  const writing = { item, bytes: undefined };
  return how === 'failed' ? { writing } : { writing, transcription: readTranscript(event) };
};

const tellsFormat = ({ audio, output_audio_format: older }: Fields): boolean =>
  typeof older === 'string' || fieldsOf(fieldsOf(audio)['output'])['format'] !== undefined;

/** Usage of a transcript: as reported, else estimated from its text, with five times as many input tokens. */
const readTranscript = (event: Fields): Usage => {
  const reported = possibleReport(readTranscriptionUsage(event));
  if (reported !== undefined) return reported;
  return countedWords(Buffer.byteLength(textOf(event['transcript']) ?? ''));
};

/** The estimated usage of a transcript of so many bytes. */
export const countedWords = (bytes: number): Usage => {
  const outputTokens = Math.ceil(bytes / 4);
  return { ...noUsage, inputTokens: 5 * outputTokens, outputTokens, estimated: true };
};

const readTurnUsage = (value: unknown): Usage | undefined => {
  const { output_token_details: output, ...usage } = fieldsOf(value);
  return possibleReport(
    readMediaUsage(output === undefined ? usage : { ...usage, output_tokens_details: output }),
  );
};

/** Four times what any model keeps, and so reads and says in one turn. */
const MOST_TURN_TOKENS = 4 * MOST_TOKENS;

/** The report, if it can be true of an answer or of what was written down; else undefined. */
const possibleReport = (reported: Usage | undefined): Usage | undefined => {
  const believed = believedReport(reported);
  const tokens = believed === undefined ? 0 : promptTokens(believed) + completionTokens(believed);
  return tokens <= MOST_TURN_TOKENS ? believed : undefined;
};

/** Output tokens per minute of audio, from a price list that has both: 0.24 dollars per minute, 200 per million tokens. */
const SPOKEN_TOKENS_PER_MINUTE = 200 / 0.24;

/**
 * The estimated usage of an answer without a usage report. It read the context and output of the answer before, and the
 * input since, of which `input` is an upper estimate.
 */
export const countedUsage = (
  soundSeconds: number,
  textBytes: number,
  before: Usage = noUsage,
  input: CallerInput = noInput,
): Usage => ({
  ...noUsage,
  inputTokens:
    before.inputTokens + before.cacheReadTokens + before.outputTokens + Math.ceil(input.textTokens / 2),
  audioInputTokens: before.audioInputTokens + before.audioOutputTokens + Math.ceil(input.audioTokens / 2),
  imageInputTokens: before.imageInputTokens + Math.ceil(input.pictureTokens / 2),
  outputTokens: Math.ceil(textBytes / 4),
  audioOutputTokens: Math.ceil((soundSeconds / 60) * SPOKEN_TOKENS_PER_MINUTE),
  estimated: true,
});

/** `GET /v1/realtime`, a WebSocket. Its messages are only repeated. */
export const openaiRealtime: Wire & { readonly name: 'openai-realtime' } = {
  name: 'openai-realtime',
  ...wholeWire,
  facts: (body) => ({
    model: parseBounds(bounds, body).model,
    stream: true,
    maxOutputTokens: MAX_OUTPUT_TOKENS,
    choices: 1,
    inputTokensEstimate: FIRST_INPUT_TOKENS,
    wantsStreamUsage: true,
  }),
  tapWhole: () => ({}),
};
