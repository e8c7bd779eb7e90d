import type { TokenLogprob } from '#core/chat/event.ts';
import { isFields, listOf, type Fields } from '#core/json/fields.ts';

/** Reads token probabilities, as in both OpenAI formats. */
export const readLogprobs = (value: unknown): TokenLogprob[] =>
  listOf(value).filter(isFields).flatMap(readOne);

const readOne = ({ token, logprob, bytes, top_logprobs: top }: Fields): TokenLogprob[] => {
  if (typeof token !== 'string' || typeof logprob !== 'number') return [];
  const spelled = listOf(bytes).filter((byte) => typeof byte === 'number');
  return [
    {
      token,
      logprob,
      ...(Array.isArray(bytes) && { bytes: spelled }),
      ...(Array.isArray(top) && { top: readLogprobs(top) }),
    },
  ];
};

/** The field of an event; none for an empty list. */
export const withLogprobs = (logprobs: readonly TokenLogprob[]) =>
  logprobs.length === 0 ? {} : { logprobs };

/** The inverse of `readLogprobs`; missing bytes are those of the token's text. */
export const writeLogprobs = (logprobs: readonly TokenLogprob[]): Fields[] =>
  logprobs.map((one) => ({ ...writeOne(one), top_logprobs: (one.top ?? []).map(writeOne) }));

const writeOne = ({ token, logprob, bytes }: TokenLogprob): Fields => ({
  token,
  logprob,
  bytes: bytes ?? [...Buffer.from(token)],
});
