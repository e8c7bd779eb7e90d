const COLOURS = 8;

/** What is left over has a colour that no name has. */
export const REST_COLOUR = 'var(--chart-rest)';

/** FNV-1a, for a first choice that depends on nothing but the name. */
const hashOf = (name: string): number => {
  let hash = 0x811c9dc5;
  for (let at = 0; at < name.length; at += 1) hash = Math.imul(hash ^ name.charCodeAt(at), 0x01000193);
  return hash >>> 0;
};

/**
 * A colour for each name: always the same one, whatever is counted and in whatever order, unless two of the names would
 * have the same; then the later one of the alphabet takes the next that is free. The names of `more` come after those of
 * `names`, whose colours they never change.
 */
export const seriesColours = (
  names: readonly string[],
  more: readonly string[] = [],
): ReadonlyMap<string, string> => {
  const taken = new Set<number>();
  const colours = new Map<string, string>();
  for (const name of new Set([...names.toSorted(), ...more.toSorted()])) {
    let place = hashOf(name) % COLOURS;
    if (taken.size < COLOURS) while (taken.has(place)) place = (place + 1) % COLOURS;
    taken.add(place);
    colours.set(name, `var(--chart-${place + 1})`);
  }
  return colours;
};
