/** The difference between the upstream's models and the selected ones. */
export interface ModelChanges {
  readonly fresh: readonly string[];
  readonly kept: readonly string[];
  /** Selected but not offered, except custom names and names in the model mapping. */
  readonly gone: readonly string[];
}

export const modelChanges = (
  offered: readonly string[],
  chosen: readonly string[],
  mapped: readonly string[],
): ModelChanges => {
  const atUpstream = new Set(offered);
  const here = new Set(chosen);
  const named = new Set(mapped);
  return {
    fresh: offered.filter((name) => !here.has(name)),
    kept: chosen.filter((name) => atUpstream.has(name)),
    gone: chosen.filter((name) => !atUpstream.has(name) && !named.has(name)),
  };
};
