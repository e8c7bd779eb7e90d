import { type Fields, isFields } from '#core/json/fields.ts';
import type { IfUnsaid } from '../dialect.ts';
import { isLengthWord, mayHoldNumbers } from '#contract/asked-words.ts';

/**
 * Lowers every limit on an answer's length in a body to `tokens`, whatever its name, because some upstreams take the
 * larger of two. If none of the format's own names in `words` is present, the first is added; upstreams ignore names
 * they do not know. A value that means no limit, such as −1, is replaced.
 */
export const limitNumbers = (
  body: Fields,
  tokens: number,
  words: readonly string[] = [],
  depth = 1,
): Fields => {
  const lowered: Record<string, unknown> = { ...body };
  let isNamed = false;
  for (const [name, value] of Object.entries(body)) {
    if (isFields(value)) {
      if (mayHoldNumbers(name, depth)) {
        const inner = limitNumbers(value, tokens, [], depth + 1);
        if (inner !== value) lowered[name] = inner;
      }
      continue;
    }
    if (!isLengthWord(name) || value === null || Number(value) === 0) continue;
    isNamed ||= words.includes(name);
    const isLimit = Number(value) > 0 && Number(value) <= tokens;
    if (!isLimit) lowered[name] = tokens;
  }
  const [word] = words;
  if (!isNamed && word !== undefined) lowered[word] = tokens;
  return Object.entries(lowered).every(([name, value]) => body[name] === value) ? body : lowered;
};

const CHAT_WORDS = ['max_tokens', 'max_completion_tokens'] as const;

/** Limits the output of a chat. A thinking budget that comes on top of the answer gets at most half of it. */
export const limitChat = (body: Fields, tokens: number, ifUnsaid: IfUnsaid): Fields => {
  const words = ifUnsaid === 'set' ? CHAT_WORDS : [];
  const { thinking_budget: budget } = body;
  if (typeof budget !== 'number' || budget <= 0) return limitNumbers(body, tokens, words);
  const thoughts = Math.min(budget, Math.floor(tokens / 2));
  const limited = limitNumbers(body, tokens - thoughts, words);
  return thoughts === budget ? limited : { ...limited, thinking_budget: thoughts };
};
