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
  /** Something the caller sent is refused. */
  readonly refused?: true;
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

/** How upstreams begin a message: its kind first, or behind its id. Only text that no letter is hidden in. */
const TYPE = /^\s*\{\s*(?:"event_id"\s*:\s*"[^"\\]*"\s*,\s*)?"type"\s*:\s*"([\w.]+)"/;
const TYPE_WITHIN_BYTES = 256;
const HEARD = /^conversation\.item\.input_audio_transcription\.(delta|completed)$/;
const SESSION = /^(?:transcription_)?session\.(?:created|updated)$/;

/** What kind a message is. What it is about may quote the name of another kind, so it is not searched for. */
const typeOf = (data: Buffer): string | undefined =>
  TYPE.exec(data.toString('latin1', 0, TYPE_WITHIN_BYTES))?.[1] ?? textOf(parsedFields(data)?.['type']);

/** Of most messages only their kind and size are looked at; the end of an answer is read. */
export const tapMessage = (data: Buffer): TappedMessage | undefined => {
  const type = typeOf(data);
  if (type === undefined) return undefined;
  const heard = HEARD.exec(type)?.[1];
  // A piece of what the caller said: all of it comes at its end.
  if (heard === 'delta') return undefined;
  if (heard !== undefined) return { heard: readTranscript(parsedFields(data) ?? {}) };
  if (type.endsWith('audio.delta')) return { soundBytes: (data.length * 3) / 4 };
  if (type.endsWith('.delta')) return { textBytes: Math.max(0, data.length - TYPE_WITHIN_BYTES) + 8 };
  if (SESSION.test(type)) return { session: readSession(fieldsOf(parsedFields(data)?.['session'])) };
  if (type === 'response.created') return { begun: true };
  if (type === 'error') return { refused: true };
  if (type !== 'response.done') return undefined;
  return { done: { usage: readTurnUsage(fieldsOf(parsedFields(data)?.['response'])['usage']) } };
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
