const LETTER = /[\p{L}\p{N}]/u;

/** 0 where a name begins with what is wanted, 1 where a word in it does, 2 elsewhere; undefined if it is not in it. */
const rankOf = (name: string, wanted: string): 0 | 1 | 2 | undefined => {
  const at = name.indexOf(wanted);
  if (at <= 0) return at === 0 ? 0 : undefined;
  return LETTER.test(name[at - 1] ?? '') ? 2 : 1;
};

/**
 * The items whose name contains a search: first those that begin with it, then those in which a word does. Who types
 * `gpt` wants `gpt-5`, not `360gpt-pro`.
 */
export const containing = <Item>(
  items: readonly Item[],
  search: string,
  nameOf: (item: Item) => string,
): readonly Item[] => {
  const wanted = search.trim().toLowerCase();
  if (wanted === '') return items;
  const ranks: readonly [Item[], Item[], Item[]] = [[], [], []];
  for (const item of items) {
    const rank = rankOf(nameOf(item).toLowerCase(), wanted);
    if (rank !== undefined) ranks[rank].push(item);
  }
  return ranks.flat();
};
