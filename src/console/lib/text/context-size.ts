/** `128K`, `1.05M`: tokens of prompt and answer together. */
export const contextText = (tokens: number): string =>
  tokens >= 1_000_000 ? `${Number((tokens / 1_000_000).toFixed(2))}M` : `${Math.round(tokens / 1000)}K`;
