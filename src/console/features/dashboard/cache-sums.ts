import type { readCache } from '#contract/api/channels/affinity.ts';
import type { Data } from '#contract/endpoint.ts';
import { barOf, type Span } from './usage-sums.ts';

export type CacheShare = Data<typeof readCache>[number];
export type CacheSums = Pick<CacheShare, 'prompt_tokens' | 'cached_tokens' | 'saved_quota'>;

/** The share of prompt tokens read from caches; undefined without prompts. */
export const hitRate = ({
  prompt_tokens: all,
  cached_tokens: cached,
}: Pick<CacheSums, 'prompt_tokens' | 'cached_tokens'>): number | undefined =>
  all === 0 ? undefined : cached / all;

export const addedCaches = (shares: readonly CacheSums[]): CacheSums => {
  const sum = { prompt_tokens: 0, cached_tokens: 0, saved_quota: 0 };
  for (const share of shares) {
    sum.prompt_tokens += share.prompt_tokens;
    sum.cached_tokens += share.cached_tokens;
    sum.saved_quota += share.saved_quota;
  }
  return sum;
};

/** For each time step: prompt tokens read from caches, and the others. */
export const partsOverTime = (
  shares: readonly CacheShare[],
  length: 'hour' | 'day',
  beginnings: readonly number[],
): { readonly part: 'cached' | 'anew'; readonly values: number[] }[] => {
  const byBar = Map.groupBy(shares, ({ id }) => barOf(beginnings, id, length));
  const sums = beginnings.map((_, at) => addedCaches(byBar.get(at) ?? []));
  return [
    { part: 'cached', values: sums.map((sum) => sum.cached_tokens) },
    { part: 'anew', values: sums.map((sum) => sum.prompt_tokens - sum.cached_tokens) },
  ];
};

const MOST_SECONDS = 2_592_000;

/** The last 30 days of a span: sessions are read from the logs, which takes longer than reading sums. */
export const spanOfSessions = ({ from, to }: Span): Span => ({ from: Math.max(from, to - MOST_SECONDS), to });
