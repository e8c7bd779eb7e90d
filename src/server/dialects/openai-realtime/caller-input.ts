import { accountObjectIn } from '../account-objects.ts';
import { measurePrompt } from '../openai/usage/estimate-tokens.ts';
import { readSession, type Session } from './session.ts';
import { type Fields, fieldsOf, listOf, otherFields, parsedFields } from '#core/json/fields.ts';

/** The tokens of a caller's messages in a realtime conversation, estimated. */
export interface CallerInput {
  readonly textTokens: number;
  readonly audioTokens: number;
  readonly pictureTokens: number;
}

export const noInput: CallerInput = { textTokens: 0, audioTokens: 0, pictureTokens: 0 };

/** Audio input is 10 tokens per second (platform.openai.com/docs/guides/realtime-costs); the estimate is higher. */
const INPUT_TOKENS_PER_SECOND = 1000 / 60;
/** The largest context of any model; older messages are dropped from it. */
export const MOST_TOKENS = 128_000;

/** The sum of both, at most what a model keeps. */
export const addInput = (one: CallerInput, other: CallerInput): CallerInput => ({
  textTokens: Math.min(MOST_TOKENS, one.textTokens + other.textTokens),
  audioTokens: Math.min(MOST_TOKENS, one.audioTokens + other.audioTokens),
  pictureTokens: Math.min(MOST_TOKENS, one.pictureTokens + other.pictureTokens),
});

/** The part of `all` that came before `later`. */
export const inputBefore = (all: CallerInput, later: CallerInput): CallerInput => ({
  textTokens: Math.max(0, all.textTokens - later.textTokens),
  audioTokens: Math.max(0, all.audioTokens - later.audioTokens),
  pictureTokens: Math.max(0, all.pictureTokens - later.pictureTokens),
});

/** Fields whose values are keywords of the format, not prompts. */
const SETTINGS: ReadonlySet<string> = new Set([
  'type',
  'event_id',
  'input_audio_format',
  'output_audio_format',
  'voice',
]);

const EVENT_ID = String.raw`"event_id"\s*:\s*"[^"\\]*"\s*`;
const APPEND = new RegExp(
  String.raw`^\s*\{\s*(?:${EVENT_ID},\s*)?"type"\s*:\s*"input_audio_buffer\.append"\s*,\s*(?:${EVENT_ID},\s*)?"audio"\s*:\s*"`,
);
const APPEND_END = new RegExp(String.raw`^\s*(?:,\s*${EVENT_ID})?\}\s*$`);
/** Room for an id, which may have 512 letters, and the names. */
const APPEND_ROOM_BYTES = 700;
const ESCAPE = Buffer.from('\\u');

/**
 * An upper estimate of the tokens that a caller's message adds. It decides the hold; the charge uses the upstream's report.
 * Audio comes in many small pieces, of which only the size is read.
 */
export const inputOf = (data: Buffer, audioBytesPerSecond: number): CallerInput => {
  const audioOf = (base64Length: number): number =>
    ((base64Length * 3) / 4 / audioBytesPerSecond) * INPUT_TOKENS_PER_SECOND;
  if (isAppend(data)) return { ...noInput, audioTokens: audioOf(data.length) };
  const message = parsedFields(data);
  if (message === undefined) return noInput;
  if (message['type'] === 'input_audio_buffer.append')
    return { ...noInput, audioTokens: audioOf(lengthOf(message['audio'])) };
  const { response, item, ...beside } = message;
  const items = [item, ...listOf(fieldsOf(response)['input'])].map(fieldsOf);
  const parts = items.flatMap((given) => listOf(given['content'])).map(fieldsOf);
  const sounds = parts.filter((part) => part['type'] === 'input_audio');
  const texts = parts.filter((part) => part['type'] !== 'input_audio');
  const bare = items.map((given) => ({ ...given, content: '' }));
  const asked = { ...fieldsOf(response), input: '' };
  const { tokens, pictures } = measurePrompt([beside, asked, bare, texts]);
  return {
    textTokens: tokens - pictures,
    pictureTokens: pictures,
    audioTokens: audioOf(sounds.reduce((sum, { audio }) => sum + lengthOf(audio), 0)),
  };
};

const ASKS = Buffer.from('response.create');
const SETS = Buffer.from('session.update');

/** Whether a message that has this type, or may have it in escaped letters, does. Others are not parsed. */
const ofType = (data: Buffer, type: Buffer): Fields | undefined => {
  if (isAppend(data)) return undefined;
  if (!data.includes(type) && !data.includes(ESCAPE)) return undefined;
  const message = parsedFields(data);
  return message?.['type'] === type.toString() ? message : undefined;
};

/** Whether a caller's message requests an answer. */
export const asksForAnswer = (data: Buffer): boolean => ofType(data, ASKS) !== undefined;

/** How much of the conversation the answer that a message asks for reads; undefined if it asks for none, or the usual one. */
export const readsOtherwise = (data: Buffer): 'outside' | 'own input' | undefined => {
  const { input, conversation } = fieldsOf(ofType(data, ASKS)?.['response']);
  if (conversation === 'none') return 'outside';
  return input === undefined || input === null ? undefined : 'own input';
};

/** The session as a caller's message would have it; undefined if that is none of its business. */
export const wishedSession = (data: Buffer): Session | undefined => {
  const message = ofType(data, SETS);
  return message && readSession(fieldsOf(message['session']));
};

/** The prompts in a caller's message, as request bodies with the same fields; audio is left out. */
export const promptsIn = (data: Buffer): Fields[] => {
  if (isAppend(data)) return [];
  const message = parsedFields(data);
  if (message === undefined || message['type'] === 'input_audio_buffer.append') return [];
  const { session, response, ...beside } = message;
  return [beside, fieldsOf(session), fieldsOf(response)].map((body) => otherFields(body, SETTINGS) ?? {});
};

/** The path of a field in a caller's message that names something in the upstream's account; undefined if none does. */
export const accountObjectSaid = (data: Buffer): string | undefined => {
  if (isAppend(data)) return undefined;
  const { response, ...beside } = parsedFields(data) ?? {};
  const ofAnswer = accountObjectIn(fieldsOf(response));
  return accountObjectIn(beside) ?? (ofAnswer === undefined ? undefined : `response.${ofAnswer}`);
};

/** Tools that the caller runs, or another server it names; an upstream's own are not counted there. */
const PLAIN_TOOLS: ReadonlySet<unknown> = new Set(['function', 'mcp', undefined, null]);

/** The path of a tool in a caller's message that has no price; undefined if there is none. */
export const unpricedWorkSaid = (data: Buffer): string | undefined => {
  if (isAppend(data)) return undefined;
  const message = parsedFields(data) ?? {};
  for (const holder of ['session', 'response']) {
    const tools = listOf(fieldsOf(message[holder])['tools']);
    const at = tools.findIndex((tool) => !PLAIN_TOOLS.has(fieldsOf(tool)['type']));
    if (at !== -1) return `${holder}.tools.${at}`;
  }
  return undefined;
};

/** Whether a message is a piece of audio as clients write it, with nothing else in it. Its sound is not read. */
export const isAppend = (data: Buffer): boolean => {
  const start = APPEND.exec(data.toString('latin1', 0, APPEND_ROOM_BYTES))?.[0].length;
  if (start === undefined) return false;
  const end = data.indexOf('"', start) + 1;
  const rest = data.length - end;
  return end > 0 && rest <= APPEND_ROOM_BYTES && APPEND_END.test(data.toString('latin1', end));
};

const lengthOf = (value: unknown): number => (typeof value === 'string' ? value.length : 0);
