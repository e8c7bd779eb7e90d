import type { Usage } from '../chat/usage.ts';

/**
 * How much prompt caches saved on a call, in whole units: its price with the whole prompt uncached, minus the actual
 * price. Below 0 if cache writes cost more than cache reads saved. `unitsOf` prices a usage as the call was priced.
 */
export const savedByCaches = (usage: Usage, paidUnits: number, unitsOf: (usage: Usage) => number): number => {
  const cached = usage.cacheReadTokens + usage.cacheWrite5mTokens + usage.cacheWrite1hTokens;
  if (cached === 0) return 0;
  const { audioCacheReadTokens: sound, imageCacheReadTokens: pictures } = usage;
  const sentAnew = {
    cacheReadTokens: 0,
    audioCacheReadTokens: 0,
    imageCacheReadTokens: 0,
    cacheWrite5mTokens: 0,
    cacheWrite1hTokens: 0,
    inputTokens: usage.inputTokens + cached - sound - pictures,
    audioInputTokens: usage.audioInputTokens + sound,
    imageInputTokens: usage.imageInputTokens + pictures,
  };
  return unitsOf({ ...usage, ...sentAnew }) - paidUnits;
};
