import type { FinishReason } from '#core/chat/event.ts';

const WORDS: Readonly<Record<string, FinishReason>> = {
  STOP: 'stop',
  MAX_TOKENS: 'length',
  SAFETY: 'content-filter',
  RECITATION: 'content-filter',
  BLOCKLIST: 'content-filter',
  PROHIBITED_CONTENT: 'content-filter',
  SPII: 'content-filter',
  MODEL_ARMOR: 'content-filter',
  IMAGE_SAFETY: 'content-filter',
  IMAGE_PROHIBITED_CONTENT: 'content-filter',
  IMAGE_RECITATION: 'content-filter',
};

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
  const reason = WORDS[word] ?? 'other';
  return reason === 'stop' && hasCalls ? 'tool-calls' : reason;
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
