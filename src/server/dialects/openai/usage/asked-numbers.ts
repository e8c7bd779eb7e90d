import { isAnswerWord, isLengthWord, mayHoldNumbers } from '#contract/asked-words.ts';
import { choiceCount, parseField, tokenCount } from '../bounds.ts';
import { type Fields, isFields } from '#core/json/fields.ts';

/**
 * How many answers a request asks for, and of what length, in fields besides `n` and `max_tokens` that only some
 * upstreams know: vLLM, SGLang, TGI, Transformers, and gateways that merge an object of extra fields. The body is
 * forwarded unchanged, so the hold must cover the largest interpretation.
 */

export interface AskedNumbers {
  /** The largest number of answers, in any field; 1 if there is none. */
  readonly answers: number;
  /** The largest token limit of an answer in another format's field; 0 if there is none. */
  readonly tokens: number;
}

/** Reads these numbers from a whole body. Throws `invalid_request` if they exceed what one call may ask for. */
export const askedNumbers = (body: Fields): AskedNumbers => {
  const most = { answers: 1, tokens: 0 };
  look(body, 1, most);
  return most;
};

const look = (fields: Fields, depth: number, most: { answers: number; tokens: number }): void => {
  for (const name in fields) {
    const value = fields[name];
    if (isFields(value)) {
      if (mayHoldNumbers(name, depth)) look(value, depth + 1, most);
      continue;
    }
    const count = typeof value === 'string' ? Number(value) : value;
    if (typeof count !== 'number' || !Number.isInteger(count) || count <= 0) continue;
    if (isAnswerWord(name)) most.answers = Math.max(most.answers, parseField(choiceCount, name, count) ?? 1);
    else if (isLengthWord(name))
      most.tokens = Math.max(most.tokens, parseField(tokenCount, name, count) ?? 1);
  }
};
