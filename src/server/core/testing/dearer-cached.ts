import type { Usage } from '../chat/usage.ts';

type Cached = Pick<Usage, 'cacheReadTokens' | 'audioCacheReadTokens' | 'imageCacheReadTokens'>;

/** How many of the cached tokens are sound and pictures: together no more than there are. */
export const dearerCached = (counts: Cached): Omit<Cached, 'cacheReadTokens'> => {
  const audioCacheReadTokens = Math.min(counts.audioCacheReadTokens, counts.cacheReadTokens);
  const left = counts.cacheReadTokens - audioCacheReadTokens;
  return { audioCacheReadTokens, imageCacheReadTokens: Math.min(counts.imageCacheReadTokens, left) };
};
