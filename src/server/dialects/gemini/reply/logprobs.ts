import type { TokenLogprob } from '#core/chat/event.ts';
import type { Fields } from '#core/json/fields.ts';
import { camelFields, camelList } from '../fields.ts';

/** Reads token probabilities from `logprobsResult` (ai.google.dev/api/generate-content). */
export const readLogprobs = (value: unknown): TokenLogprob[] => {
  const { chosenCandidates, topCandidates } = camelFields(value);
  const tops = camelList(topCandidates);
  return camelList(chosenCandidates).flatMap((chosen, place) => {
    const [one] = readOne(chosen);
    if (one === undefined) return [];
    const top = camelList(tops[place]?.['candidates']).flatMap(readOne);
    return [{ ...one, ...(top.length > 0 && { top }) }];
  });
};

const readOne = ({ token, tokenId, logProbability }: Fields): TokenLogprob[] =>
  typeof token === 'string' && typeof logProbability === 'number'
    ? [{ token, logprob: logProbability, ...(typeof tokenId === 'number' && { tokenId }) }]
    : [];

/** The inverse of `readLogprobs`. */
export const writeLogprobs = (logprobs: readonly TokenLogprob[]): Fields => ({
  chosenCandidates: logprobs.map(writeOne),
  ...(logprobs.some(({ top }) => top !== undefined) && {
    topCandidates: logprobs.map(({ top = [] }) => ({ candidates: top.map(writeOne) })),
  }),
});

const writeOne = ({ token, tokenId, logprob }: TokenLogprob): Fields => ({
  token,
  ...(tokenId !== undefined && { tokenId }),
  logProbability: logprob,
});
