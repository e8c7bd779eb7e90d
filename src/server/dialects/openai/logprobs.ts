import type { TokenLogprob } from '#core/chat/event.ts';
import { isFields, listOf, type Fields } from './fields.ts';

/** How likely the words of a text were, as both formats of OpenAI say it. */
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

export const withLogprobs = (logprobs: readonly TokenLogprob[]) =>
  logprobs.length === 0 ? {} : { logprobs };

/** The other way round; bytes that nobody told are those of the token. */
export const writeLogprobs = (logprobs: readonly TokenLogprob[]): Fields[] =>
  logprobs.map((one) => ({ ...writeOne(one), top_logprobs: (one.top ?? []).map(writeOne) }));

const writeOne = ({ token, logprob, bytes }: TokenLogprob): Fields => ({
  token,
  logprob,
  bytes: bytes ?? [...Buffer.from(token)],
});
