import type { FinishReason } from '#core/chat/event.ts';
import { AppError } from '#core/error.ts';
import type { Fields } from '../openai/fields.ts';
import { readFinishReason as readWord } from '../openai/finish-reason.ts';
import { redact } from '../redact.ts';

const WORDS: ReadonlyMap<string, FinishReason> = new Map<string, FinishReason>([
  ['STOP', 'stop'],
  ['MAX_TOKENS', 'length'],
  ['SAFETY', 'content-filter'],
  ['RECITATION', 'content-filter'],
  ['BLOCKLIST', 'content-filter'],
  ['PROHIBITED_CONTENT', 'content-filter'],
  ['SPII', 'content-filter'],
  ['LANGUAGE', 'content-filter'],
  ['MODEL_ARMOR', 'content-filter'],
  ['IMAGE_SAFETY', 'content-filter'],
  ['IMAGE_PROHIBITED_CONTENT', 'content-filter'],
  ['IMAGE_RECITATION', 'content-filter'],
]);

/** The same by the number some clients ask for (`enum-encoding=int`). */
const NUMBERS: readonly string[] = [
  'FINISH_REASON_UNSPECIFIED',
  'STOP',
  'MAX_TOKENS',
  'SAFETY',
  'RECITATION',
  'OTHER',
  'LANGUAGE',
  'BLOCKLIST',
  'PROHIBITED_CONTENT',
  'SPII',
  'MALFORMED_FUNCTION_CALL',
];

/** The word of this format for why an answer ended; undefined while it has not. */
export const finishWord = (value: unknown): string | undefined => {
  const word = typeof value === 'number' ? (NUMBERS[value] ?? 'OTHER') : value;
  if (typeof word !== 'string' || word === '' || word === 'FINISH_REASON_UNSPECIFIED') return undefined;
  return word;
};

/** Why an answer ended, in our words. An answer that calls tools ends with `STOP` here, like any other. */
export const readFinishReason = (word: string, hasCalls: boolean): FinishReason => {
  // Look-alikes say it as OpenAI does.
  const reason = WORDS.get(word) ?? readWord(word) ?? 'other';
  // Whatever else went wrong: the calls that came are there to be answered.
  return (reason === 'stop' || reason === 'other') && hasCalls ? 'tool-calls' : reason;
};

/** Whether a part is more than a thought or a seal. */
export const isWord = (part: Fields): boolean =>
  part['thought'] !== true &&
  (typeof part['text'] === 'string'
    ? part['text'] !== ''
    : Object.keys(part).some((key) => key !== 'thought' && key !== 'thoughtSignature'));

/** The model wanted to call something and could not: what it said before is no answer. */
const BROKEN_CALLS: ReadonlySet<string> = new Set([
  'MALFORMED_FUNCTION_CALL',
  'UNEXPECTED_TOOL_CALL',
  'TOO_MANY_TOOL_CALLS',
  'MISSING_THOUGHT_SIGNATURE',
  'MALFORMED_RESPONSE',
]);

/**
 * The failure an end is that has no word in other formats: a broken call, or any end without a word of an answer that is
 * neither a filter's nor a limit's. Undefined where the answer is one. To callers of this format it is told as it came.
 * @param hasWords something besides thoughts was said
 */
export const readFailure = (
  word: string,
  finishMessage: unknown,
  said: { readonly hasWords: boolean; readonly hasCalls: boolean },
): AppError | undefined => {
  if (readFinishReason(word, said.hasCalls) !== 'other') return undefined;
  if (said.hasWords && !BROKEN_CALLS.has(word)) return undefined;
  const told = typeof finishMessage === 'string' && finishMessage !== '' ? `: ${redact(finishMessage)}` : '';
  const message = `the model ended without an answer (${redact(word).slice(0, 64)})${told}`;
  return new AppError('upstream_failed', message, {
    reason: 'malformed_answer',
    upstream: { status: 0, type: redact(word).slice(0, 128), message },
  });
};

/** The same in the words of this format, which has none for a refusal or a pause. */
export const writeFinishReason = (reason: FinishReason): string => {
  switch (reason) {
    case 'stop':
    case 'tool-calls':
      return 'STOP';
    case 'length':
      return 'MAX_TOKENS';
    case 'content-filter':
    case 'refusal':
      return 'SAFETY';
    case 'pause':
    case 'other':
      return 'OTHER';
  }
};
