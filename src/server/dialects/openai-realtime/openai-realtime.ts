import { z } from 'zod';
import { noUsage, type Usage } from '#core/chat/usage.ts';
import type { Wire } from '../dialect.ts';
import { modelName, parseBounds } from '../openai/bounds.ts';
import { readUpstreamError } from '../openai/error.ts';
import { readHeard } from '../openai-audio/transcriptions.ts';
import { type Fields, fieldsOf, parsedFields, textOf } from '../openai/fields.ts';
import { readMediaUsage } from '../openai/media-usage.ts';
import { writeError, writeStreamError } from '../openai/write-error.ts';
import { nothingSaid, type Said } from './said.ts';
import { readSession, type Session } from './session.ts';

const bounds = z.object({ model: modelName });

/** The most one answer may have; OpenAI's own limit. */
const MAX_OUTPUT_TOKENS = 4096;
/** What a conversation is taken to hold before its first answer says. */
const FIRST_INPUT_TOKENS = 2048;

/**
 * What a turn may cost at most: what was heard and read before it, what the caller has said since, and the longest
 * answer, spoken.
 */
export const turnUsage = (before: Usage | undefined, said: Said): Usage => {
  const { inputTokens, cacheReadTokens, audioInputTokens, outputTokens, audioOutputTokens } =
    before ?? noUsage;
  const isFirst = before === undefined;
  const [leastText, leastSound] = isFirst
    ? [FIRST_INPUT_TOKENS, FIRST_INPUT_TOKENS]
    : [2 * inputTokens + cacheReadTokens, 2 * audioInputTokens + 1024];
  return {
    ...noUsage,
    inputTokens: Math.max(leastText, inputTokens + cacheReadTokens + outputTokens + said.textTokens),
    audioInputTokens: Math.max(leastSound, audioInputTokens + audioOutputTokens + said.soundTokens),
    audioOutputTokens: MAX_OUTPUT_TOKENS,
  };
};

/** What one message of the upstream tells about a turn. */
export interface TappedMessage {
  /** An answer is begun. */
  readonly begun?: true;
  /** An answer is over; `usage` is all it used. */
  readonly done?: { readonly usage: Usage | undefined };
  /** Bytes of sound, and of text, in this piece of an answer. */
  readonly soundBytes?: number;
  readonly textBytes?: number;
  /** What the caller said was written down, by a model of its own. */
  readonly heard?: Usage;
  /** The session is begun, or changed. */
  readonly session?: Session;
}

const DELTA = Buffer.from('.delta"');
const CREATED = Buffer.from('"response.created"');
const DONE = Buffer.from('"response.done"');
const HEARD = 'input_audio_transcription.completed"';
const HEARD_PIECE = 'input_audio_transcription.delta"';
const SESSION = /"(?:transcription_)?session\.(?:created|updated)"/;
const TYPE_WITHIN_BYTES = 256;

/** Of most messages only their size is looked at; the end of an answer is read. */
export const tapMessage = (data: Buffer): TappedMessage | undefined => {
  const head = data.subarray(0, TYPE_WITHIN_BYTES);
  if (head.includes(HEARD)) return { heard: readTranscript(parsedFields(data) ?? {}) };
  if (head.includes(DELTA)) {
    // A piece of what the caller said: all of it comes at its end.
    if (head.includes(HEARD_PIECE)) return undefined;
    const sound = head.includes('audio.delta"');
    return sound
      ? { soundBytes: (data.length * 3) / 4 }
      : { textBytes: Math.max(0, data.length - TYPE_WITHIN_BYTES) + 8 };
  }
  if (SESSION.test(head.toString('latin1')))
    return { session: readSession(fieldsOf(parsedFields(data)?.['session'])) };
  if (head.includes(CREATED)) return { begun: true };
  if (!data.includes(DONE)) return undefined;
  const body = parsedFields(data);
  if (body?.['type'] !== 'response.done') return undefined;
  return { done: { usage: readTurnUsage(fieldsOf(body['response'])['usage']) } };
};

const ASKS = Buffer.from('response.create');
/** How a letter is hidden in JSON. */
const ESCAPE = Buffer.from('\\u');

/** Whether a message of the caller's asks for an answer. What cannot mean that is not read. */
export const asksForAnswer = (data: Buffer): boolean =>
  (data.includes(ASKS) || data.includes(ESCAPE)) && parsedFields(data)?.['type'] === 'response.create';

/** Usage of a transcript: in tokens or seconds as reported, else its text, and five times as much heard. */
const readTranscript = (event: Fields): Usage => {
  const reported = readHeard(event);
  if (reported !== undefined) return reported;
  const outputTokens = Math.ceil(Buffer.byteLength(textOf(event['transcript']) ?? '') / 4);
  return { ...noUsage, inputTokens: 5 * outputTokens, outputTokens, estimated: true };
};

/** Usage of a turn: what was cached of the sound is counted in the cache alone. */
const readTurnUsage = (value: unknown): Usage | undefined => {
  const usage = fieldsOf(value);
  const details = fieldsOf(usage['input_token_details']);
  const cached = fieldsOf(details['cached_tokens_details']);
  const audio = Number(details['audio_tokens'] ?? 0) - Number(cached['audio_tokens'] ?? 0);
  return readMediaUsage({
    ...usage,
    input_token_details: { ...details, audio_tokens: Math.max(0, audio) },
    output_tokens_details: usage['output_token_details'] ?? usage['output_tokens_details'],
  });
};

/** Tokens a minute of sound is, by the price list that has both: 0.24 dollars a minute at 200 for a million. */
const SPOKEN_TOKENS_PER_MINUTE = 200 / 0.24;

/**
 * What an answer that never said its usage is taken to have used: it read what the one before read and said, and what
 * was said since, of which `said` is an upper estimate.
 */
export const countedUsage = (
  soundSeconds: number,
  textBytes: number,
  before: Usage = noUsage,
  said: Said = nothingSaid,
): Usage => ({
  ...noUsage,
  inputTokens:
    before.inputTokens + before.cacheReadTokens + before.outputTokens + Math.ceil(said.textTokens / 2),
  audioInputTokens: before.audioInputTokens + before.audioOutputTokens + Math.ceil(said.soundTokens / 2),
  outputTokens: Math.ceil(textBytes / 4),
  audioOutputTokens: Math.ceil((soundSeconds / 60) * SPOKEN_TOKENS_PER_MINUTE),
  estimated: true,
});

/** `GET /v1/realtime`, a WebSocket. Its messages are only repeated. */
export const openaiRealtime: Wire & { readonly name: 'openai-realtime' } = {
  name: 'openai-realtime',
  facts: (body) => ({
    model: parseBounds(bounds, body).model,
    stream: true,
    maxOutputTokens: MAX_OUTPUT_TOKENS,
    choices: 1,
    inputTokensEstimate: FIRST_INPUT_TOKENS,
    wantsStreamUsage: true,
  }),
  askForUsage: (body) => body,
  tap: () => undefined,
  tapWhole: () => ({}),
  readError: readUpstreamError,
  writeError,
  writeStreamError,
};
