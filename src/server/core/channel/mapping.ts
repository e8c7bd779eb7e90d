/** The upstream's name of a model, and whether the mapping goes in a circle. */
export type Mapped = { readonly model: string; readonly mapped: boolean } | { readonly cycleAt: string };

/**
 * Follows a model mapping as a chain (a→b→c gives c). A model mapped to itself or to nothing ends the chain; any longer circle is a
 * mistake of the operator and is named. Prices and limits go by the name the caller used, never by this one.
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
