import type { FinishReason } from '#core/chat/event.ts';
import { AppError } from '#core/error.ts';
import type { Fields } from '#core/json/fields.ts';
import { readFinishReason as readWord } from '../../openai/finish-reason.ts';
import { redact } from '../../redact.ts';

const WORDS: ReadonlyMap<string, FinishReason> = new Map<string, FinishReason>([
  ['STOP', 'stop'],
  ['MAX_TOKENS', 'length'],
  // Gemini 4: the answer is longer than one request gives, and goes on in a further one.
  ['CONTINUATION', 'length'],
  ['SAFETY', 'content-filter'],
  ['RECITATION', 'content-filter'],
  ['BLOCKLIST', 'content-filter'],
  ['PROHIBITED_CONTENT', 'content-filter'],
  ['SPII', 'content-filter'],
  ['LANGUAGE', 'content-filter'],
  ['MODEL_ARMOR', 'content-filter'],
  ['ESCALATION', 'content-filter'],
  ['IMAGE_SAFETY', 'content-filter'],
  ['IMAGE_PROHIBITED_CONTENT', 'content-filter'],
  ['IMAGE_RECITATION', 'content-filter'],
]);

/** The same reasons by number, as some clients request (`enum-encoding=int`). */
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

/** The name of a finish reason; undefined while there is none. */
export const finishWord = (value: unknown): string | undefined => {
  const word = typeof value === 'number' ? (NUMBERS[value] ?? 'OTHER') : value;
  if (typeof word !== 'string' || word === '' || word === 'FINISH_REASON_UNSPECIFIED') return undefined;
  return word;
};

/**
 * Converts a finish reason.
 * @param hasCalls the answer has tool calls; in this format it ends with `STOP` all the same
 */
export const readFinishReason = (word: string, hasCalls = false): FinishReason => {
  // Some compatible upstreams use OpenAI's words.
  const reason = WORDS.get(word) ?? readWord(word) ?? 'other';
  // Whatever the reason, calls that arrived can be answered.
  return (reason === 'stop' || reason === 'other') && hasCalls ? 'tool-calls' : reason;
};

/** Whether a part is more than a thought or a signature. */
export const isWord = (part: Fields): boolean =>
  part['thought'] !== true &&
  (typeof part['text'] === 'string'
    ? part['text'] !== ''
    : Object.keys(part).some((key) => key !== 'thought' && key !== 'thoughtSignature'));

/** Ends of answers that broke off, most at a failed tool call: earlier text is not a complete answer. */
export const BROKEN_OFF: ReadonlySet<string> = new Set([
  'MALFORMED_FUNCTION_CALL',
  'UNEXPECTED_TOOL_CALL',
  'TOO_MANY_TOOL_CALLS',
  'MISSING_THOUGHT_SIGNATURE',
  'MALFORMED_RESPONSE',
  // The operator's account was limited meanwhile.
  'PUP_LIMITED_DISABLED',
]);

/**
 * The error for an end that other formats cannot express: a broken call, or an answer without text that no filter or
 * limit explains. Undefined if the answer is valid. Callers of this format get the end unchanged.
 * @param hasWords the answer has more than thoughts
 */
export const readFailure = (
  word: string,
  finishMessage: unknown,
  produced: { readonly hasWords: boolean; readonly hasCalls: boolean },
): AppError | undefined => {
  if (readFinishReason(word, produced.hasCalls) !== 'other') return undefined;
  if (produced.hasWords && !BROKEN_OFF.has(word)) return undefined;
  const detail =
    typeof finishMessage === 'string' && finishMessage !== '' ? `: ${redact(finishMessage)}` : '';
  const message = `the model ended without an answer (${redact(word).slice(0, 64)})${detail}`;
  return new AppError('upstream_failed', message, {
    reason: 'malformed_answer',
    upstream: { status: 0, type: redact(word).slice(0, 128), message },
  });
};

/** Writes a finish reason; this format has none for a refusal or a pause. */
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
