import { completionTokens, promptTokens, type Usage } from '../chat/usage.ts';
import { priceBuckets } from './price.ts';

/** More tokens of one kind than any model takes or gives: a report above it is noise. */
const PLAUSIBLE_TOKENS = 20_000_000;

/** Reasoning is a part of the output, and has no price of its own. */
const counts = [...priceBuckets, 'reasoningTokens'] as const;

/** A count of a report. */
export type CountName = (typeof counts)[number];

const ofPrompt: readonly CountName[] = counts.filter((name) => /input|cache/i.test(name));
const ofAnswer: readonly CountName[] = counts.filter((name) => !ofPrompt.includes(name));

/** Whether a report can be believed: whole numbers of a size some model could have had. */
export const isPlausible = (usage: Usage): boolean =>
  counts.every(
    (name) => Number.isInteger(usage[name]) && usage[name] >= 0 && usage[name] <= PLAUSIBLE_TOKENS,
  );

/**
 * Two reports of one call. Each tells what the call has come to so far, and how it is split up may become known late:
 * what the cache held, say, which was plain prompt before. So the later report counts whole, its prompt and its answer;
 * what it does not tell (`lacks`, or a side that is all 0) is as it was told before. Counts of two reports are never
 * mixed otherwise: the same tokens would be paid in two buckets.
 */
export const mergeReports = (
  earlier: Usage | undefined,
  later: Usage,
  lacks: readonly CountName[] = [],
): Usage => {
  if (earlier === undefined) return later;
  if (!isPlausible(later) && isPlausible(earlier)) return earlier;
  const merged: Record<CountName, number> & Pick<Usage, 'estimated'> = { ...later };
  const take = (names: readonly CountName[]): void => {
    for (const name of names) merged[name] = earlier[name];
  };
  if (promptTokens(later) === 0) take(ofPrompt);
  if (completionTokens(later) === 0) take(ofAnswer);
  for (const name of lacks) merged[name] = Math.max(earlier[name], later[name]);
  // What was written to the cache is told, but not for how long: as much of it for an hour as was told before.
  if (lacks.includes('cacheWrite1hTokens') && !lacks.includes('cacheWrite5mTokens')) {
    const written = later.cacheWrite5mTokens + later.cacheWrite1hTokens;
    merged.cacheWrite1hTokens = Math.min(earlier.cacheWrite1hTokens, written);
    merged.cacheWrite5mTokens = written - merged.cacheWrite1hTokens;
  }
  return merged;
};
