import { completionTokens, promptTokens, type Usage } from '../chat/usage.ts';
import { priceBuckets } from './price-factors.ts';

/** More tokens of one kind than any model reads or writes: a higher report is wrong. */
const PLAUSIBLE_TOKENS = 20_000_000;

/** Reasoning tokens are part of the output and have no price of their own. */
const counts = [...priceBuckets, 'reasoningTokens'] as const;

/** A count in a usage report. */
export type CountName = (typeof counts)[number];

const ofPrompt: readonly CountName[] = counts.filter((name) => /input|cache/i.test(name));
const ofAnswer: readonly CountName[] = counts.filter((name) => !ofPrompt.includes(name));

/** Whether a usage report is believable: whole numbers of a possible size. */
export const isPlausible = (usage: Usage): boolean => {
  for (const name of counts) {
    const count = usage[name];
    if (!Number.isInteger(count) || count < 0 || count > PLAUSIBLE_TOKENS) return false;
  }
  return true;
};

/**
 * Merges two usage reports of one call. Each gives the total so far, but the split into buckets may change: tokens
 * first reported as prompt may turn out to be cached, and an early count may have been a guess. So the later report
 * replaces the earlier one, except what it lacks: `lacks`, or a prompt or an answer of all 0. Buckets are never mixed
 * otherwise, or the same tokens would be paid twice.
 * @param onlyGrows an answer that is shorter than before is not the whole one, as where each choice reports its own
 */
export const mergeReports = (
  earlier: Usage | undefined,
  later: Usage,
  lacks: readonly CountName[] = [],
  onlyGrows = false,
): Usage => {
  if (earlier === undefined) return later;
  if (!isPlausible(later) && isPlausible(earlier)) return earlier;
  const { writesUndated: isLaterUndated, ...told } = later;
  const merged: Record<CountName, number> & Pick<Usage, 'estimated'> = told;
  const take = (names: readonly CountName[]): void => {
    for (const name of names) merged[name] = earlier[name];
  };
  const tellsPrompt = promptTokens(later) > 0;
  if (!tellsPrompt) take(ofPrompt);
  const answer = completionTokens(later);
  if (answer === 0 || (onlyGrows && answer < completionTokens(earlier))) take(ofAnswer);
  for (const name of lacks) merged[name] = Math.max(earlier[name], later[name]);
  // The later report does not split cache writes by lifetime: keep as many one-hour writes as before.
  if (tellsPrompt && lacks.includes('cacheWrite1hTokens') && !lacks.includes('cacheWrite5mTokens')) {
    const written = later.cacheWrite5mTokens + later.cacheWrite1hTokens;
    merged.cacheWrite1hTokens = Math.min(earlier.cacheWrite1hTokens, written);
    merged.cacheWrite5mTokens = written - merged.cacheWrite1hTokens;
  }
  const wroteBefore = earlier.cacheWrite5mTokens + earlier.cacheWrite1hTokens > 0;
  const keepsAges = wroteBefore && (!tellsPrompt || lacks.includes('cacheWrite1hTokens'));
  const isUndated = (keepsAges ? earlier.writesUndated : isLaterUndated) === true;
  return isUndated ? { ...merged, writesUndated: true } : merged;
};

/** The usage of an answer whose choices report separately: the prompt counts once, all outputs are added. */
export const sumOfChoices = (reports: Iterable<Usage>): Usage | undefined => sumOf(reports, ofAnswer);

/** The usage of an answer that several models made, each from a prompt of its own. */
export const sumOfReports = (reports: Iterable<Usage>): Usage | undefined => sumOf(reports, counts);

const sumOf = (reports: Iterable<Usage>, names: readonly CountName[]): Usage | undefined => {
  let sum: (Record<CountName, number> & Pick<Usage, 'estimated'>) | undefined;
  for (const report of reports) {
    if (sum === undefined) sum = { ...report };
    else for (const name of names) sum[name] += report[name];
  }
  return sum;
};
