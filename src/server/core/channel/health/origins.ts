/**
 * Where failures of a whole channel or key were seen: at which models, at which keys, or both. Immutable. Every
 * origin has the same number of names.
 */
export type Origins = readonly {
  readonly names: readonly string[];
  readonly times: readonly number[];
}[];

const WINDOW_MS = 60_000;
/** A single model or key is counted this often at most, so that it alone cannot speak for all the others. */
const MOST_OF_ONE = 3;
const ENOUGH = 10;
const ORIGINS_MAX = 40;

/** The failures of the last minute, with this one. */
export const withOrigin = (origins: Origins, names: readonly string[], nowMs: number): Origins => {
  const isSame = (other: readonly string[]): boolean => other.every((name, at) => name === names[at]);
  const times = origins.find((origin) => isSame(origin.names))?.times ?? [];
  const others = origins.filter((origin) => !isSame(origin.names) && isRecent(origin.times.at(-1), nowMs));
  const own = [...times, nowMs].slice(-MOST_OF_ONE);
  return [...others.slice(1 - ORIGINS_MAX), { names, times: own }];
};

/**
 * Whether at least four models, and where keys are told apart at least four keys, had so many failures in the last minute
 * that they cannot be the fault of one of them.
 */
export const isWidespread = (origins: Origins, nowMs: number): boolean => {
  const places = origins[0]?.names.length ?? 0;
  return (
    places > 0 &&
    Array.from({ length: places }, (_, at) => at).every((at) => countAt(origins, at, nowMs) >= ENOUGH)
  );
};

const isRecent = (atMs: number | undefined, nowMs: number): boolean =>
  atMs !== undefined && nowMs - atMs < WINDOW_MS;

const countAt = (origins: Origins, place: number, nowMs: number): number => {
  const counts = new Map<string, number>();
  for (const { names, times } of origins) {
    const name = names[place] ?? '';
    const recent = times.filter((atMs) => isRecent(atMs, nowMs)).length;
    counts.set(name, Math.min(MOST_OF_ONE, (counts.get(name) ?? 0) + recent));
  }
  return [...counts.values()].reduce((sum, count) => sum + count, 0);
};
