import { estimateTokens } from '../openai/estimate-tokens.ts';
import { type Fields, fieldsOf, listOf, otherFields, parsedFields } from '../openai/fields.ts';

/** What a caller has given a conversation to read and to hear. */
export interface Said {
  readonly textTokens: number;
  readonly soundTokens: number;
}

export const nothingSaid: Said = { textTokens: 0, soundTokens: 0 };

/** What is heard is a token for a tenth of a second (platform.openai.com/docs/guides/realtime-costs); here some more. */
const HEARD_TOKENS_PER_SECOND = 1000 / 60;
/** No conversation of any model holds more: what was said before falls out of it. */
const MOST_TOKENS = 128_000;

export const saidTogether = (one: Said, other: Said): Said => ({
  textTokens: Math.min(MOST_TOKENS, one.textTokens + other.textTokens),
  soundTokens: Math.min(MOST_TOKENS, one.soundTokens + other.soundTokens),
});

/** What of `all` was said before `later`. */
export const saidBefore = (all: Said, later: Said): Said => ({
  textTokens: Math.max(0, all.textTokens - later.textTokens),
  soundTokens: Math.max(0, all.soundTokens - later.soundTokens),
});

/** Fields whose texts are words of the format. */
const SETTINGS: ReadonlySet<string> = new Set([
  'type',
  'event_id',
  'input_audio_format',
  'output_audio_format',
  'voice',
]);

const APPEND = /^\s*\{\s*"type"\s*:\s*"input_audio_buffer\.append"/;
const TYPE = Buffer.from('"type"');
const ESCAPE = Buffer.from('\\u');

/**
 * An upper estimate of what a message of the caller's adds to the conversation; it decides the hold, never the bill.
 * Sound comes in many small pieces, of which only the size is looked at.
 */
export const saidIn = (data: Buffer, soundBytesPerSecond: number): Said => {
  const soundOf = (base64Length: number): number =>
    ((base64Length * 3) / 4 / soundBytesPerSecond) * HEARD_TOKENS_PER_SECOND;
  if (isAppend(data)) return { textTokens: 0, soundTokens: soundOf(data.length) };
  const message = parsedFields(data);
  if (message === undefined) return nothingSaid;
  if (message['type'] === 'input_audio_buffer.append')
    return { textTokens: 0, soundTokens: soundOf(lengthOf(message['audio'])) };
  const { response, item, ...beside } = message;
  const items = [item, ...listOf(fieldsOf(response)['input'])].map(fieldsOf);
  const parts = items.flatMap((given) => listOf(given['content'])).map(fieldsOf);
  const sounds = parts.filter((part) => part['type'] === 'input_audio');
  const texts = parts.filter((part) => part['type'] !== 'input_audio');
  const bare = items.map((given) => ({ ...given, content: '' }));
  const asked = { ...fieldsOf(response), input: '' };
  return {
    textTokens: estimateTokens([beside, asked, bare, texts]),
    soundTokens: soundOf(sounds.reduce((sum, { audio }) => sum + lengthOf(audio), 0)),
  };
};

/**
 * What a message of the caller's gives a model to read, as bodies of requests whose fields are named as theirs are. Of
 * sound there is none.
 */
export const promptsIn = (data: Buffer): Fields[] => {
  if (isAppend(data)) return [];
  const message = parsedFields(data);
  if (message === undefined || message['type'] === 'input_audio_buffer.append') return [];
  const { session, response, ...beside } = message;
  return [beside, fieldsOf(session), fieldsOf(response)].map((body) => otherFields(body, SETTINGS) ?? {});
};

/** A piece of sound as all clients write it: its type first, no other type after it, and no letter hidden. */
const isAppend = (data: Buffer): boolean => {
  if (!APPEND.test(data.toString('latin1', 0, 64))) return false;
  return data.indexOf(TYPE) === data.lastIndexOf(TYPE) && !data.includes(ESCAPE);
};

const lengthOf = (value: unknown): number => (typeof value === 'string' ? value.length : 0);
