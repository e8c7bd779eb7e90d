import { type Fields, isFields } from '#core/json/fields.ts';
import { isLengthWord, mayHoldNumbers } from './asked-numbers.ts';

/**
 * Lowers every limit of an answer's length in a body to `tokens`, in whatever word it is: some upstreams take the larger
 * of two. Where none is named, `word` gets it, unless it is empty.
 */
export const limitNumbers = (body: Fields, tokens: number, word: string, depth = 1): Fields => {
  const lowered: Record<string, unknown> = { ...body };
  let isNamed = false;
  for (const [name, value] of Object.entries(body)) {
    if (isFields(value)) {
      if (mayHoldNumbers(name, depth)) {
        const inner = limitNumbers(value, tokens, '', depth + 1);
        if (inner !== value) lowered[name] = inner;
      }
      continue;
    }
    if (!isLengthWord(name) || value === null || Number(value) === 0) continue;
    isNamed = true;
    if (Number(value) > tokens) lowered[name] = tokens;
  }
  if (!isNamed && word !== '') lowered[word] = tokens;
  return Object.entries(lowered).every(([name, value]) => body[name] === value) ? body : lowered;
};

/** The limit of a chat. A budget of thoughts that comes on top of the answer gets half of it. */
export const limitChat = (body: Fields, tokens: number, sets: boolean): Fields => {
  const word = sets ? 'max_tokens' : '';
  const { thinking_budget: budget } = body;
  if (typeof budget !== 'number' || budget <= 0) return limitNumbers(body, tokens, word);
  const thoughts = Math.min(budget, Math.floor(tokens / 2));
  const limited = limitNumbers(body, tokens - thoughts, word);
  return thoughts === budget ? limited : { ...limited, thinking_budget: thoughts };
};
