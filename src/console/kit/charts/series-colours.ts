import { readStoredJson, store } from '../../lib/browser/stored.ts';

const COLOURS = 8;

/** The rest has a colour of its own. */
export const REST_COLOUR = 'var(--chart-rest)';

const KEY = 'series-colours';
const REMEMBERED_MAX = 300;

/** The colours that names have had on this device, by place in the palette. */
export type KnownPlaces = Map<string, number>;

const readPlaces = (): KnownPlaces => {
  const stored = readStoredJson(KEY);
  if (typeof stored !== 'object' || stored === null) return new Map();
  const places = Object.entries(stored).filter(
    (pair): pair is [string, number] =>
      Number.isInteger(pair[1]) && Number(pair[1]) >= 0 && Number(pair[1]) < COLOURS,
  );
  return new Map(places);
};

let known: KnownPlaces | undefined;

/** FNV-1a: the first choice of a colour depends on the name only. */
const hashOf = (name: string): number => {
  let hash = 0x811c9dc5;
  for (let at = 0; at < name.length; at += 1) hash = Math.imul(hash ^ name.charCodeAt(at), 0x01000193);
  return hash >>> 0;
};

/**
 * A colour for each name: its earlier one on this device, whatever is counted and over whatever span, unless another of these
 * names has it already. A new name takes a free one. The names of `more` are given colours after those of `names` and never
 * change them.
 */
export const seriesColours = (
  names: readonly string[],
  more: readonly string[] = [],
  places: KnownPlaces = (known ??= readPlaces()),
): ReadonlyMap<string, string> => {
  const taken = new Set<number>();
  const chosen = new Map<string, number>();
  const take = (name: string, place: number): void => {
    taken.add(place);
    chosen.set(name, place);
  };
  for (const group of [names, more]) {
    const fresh = [...new Set(group)].filter((name) => !chosen.has(name)).toSorted();
    for (const name of fresh) {
      const place = places.get(name);
      if (place !== undefined && !taken.has(place)) take(name, place);
    }
    for (const name of fresh.filter((one) => !chosen.has(one))) {
      let place = hashOf(name) % COLOURS;
      if (taken.size < COLOURS) while (taken.has(place)) place = (place + 1) % COLOURS;
      take(name, place);
    }
  }
  remember(chosen, places);
  return new Map([...chosen].map(([name, place]) => [name, `var(--chart-${place + 1})`]));
};

/** Stores the colours of new names. A known name keeps its stored colour, even if it was taken this time. */
const remember = (chosen: ReadonlyMap<string, number>, places: KnownPlaces): void => {
  const fresh = [...chosen].filter(([name]) => !places.has(name));
  if (fresh.length === 0) return;
  for (const [name, place] of fresh) places.set(name, place);
  for (const name of [...places.keys()].slice(0, Math.max(0, places.size - REMEMBERED_MAX)))
    places.delete(name);
  if (places === known) store(KEY, JSON.stringify(Object.fromEntries(places)));
};
