/** The upstream's name of a model, or the circle in the mapping. */
export type Mapped = { readonly model: string; readonly mapped: boolean } | { readonly cycleAt: string };

/**
 * Follows a model mapping as a chain (a→b→c gives c). A model mapped to itself or to nothing ends the chain; a longer
 * circle is the operator's mistake and is reported. Prices and limits always use the caller's name.
 */
export const mapModel = (mapping: ReadonlyMap<string, string>, requested: string): Mapped => {
  let model = requested;
  if (mapping.size === 0) return { model, mapped: false };
  const seen = new Set([requested]);
  for (;;) {
    const next = mapping.get(model);
    if (next === undefined || next === '' || next === model) return { model, mapped: model !== requested };
    if (seen.has(next)) return { cycleAt: next };
    seen.add(next);
    model = next;
  }
};
