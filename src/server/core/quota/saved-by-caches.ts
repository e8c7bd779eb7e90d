import type { Usage } from '../chat/usage.ts';

/**
 * What prompt caches made a call cheaper, in whole units: what it would have cost with all of its prompt sent anew, less
 * what it did. Below 0 where writing to a cache cost more than was read. `unitsOf` prices a usage as the call was priced.
 */
export const savedByCaches = (usage: Usage, paidUnits: number, unitsOf: (usage: Usage) => number): number => {
  const cached = usage.cacheReadTokens + usage.cacheWrite5mTokens + usage.cacheWrite1hTokens;
  if (cached === 0) return 0;
  const sound = usage.audioCacheReadTokens;
  const sentAnew = {
    cacheReadTokens: 0,
    audioCacheReadTokens: 0,
    cacheWrite5mTokens: 0,
    cacheWrite1hTokens: 0,
    inputTokens: usage.inputTokens + cached - sound,
    audioInputTokens: usage.audioInputTokens + sound,
  };
  return unitsOf({ ...usage, ...sentAnew }) - paidUnits;
};
