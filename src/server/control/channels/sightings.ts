import type { Sighting, SightingStore } from '#core/channel/health/sighting.ts';
import type { Clock } from '#core/clock.ts';
import type { Log } from '#core/logging.ts';
import { programOf } from '#core/program.ts';

/** The most pairs in memory between two writes; further ones are not counted. */
const PAIRS_MAX = 20_000;

interface Tally {
  count: number;
  readonly firstSeenMs: number;
  lastSeenMs: number;
}

/** A kind of program that called in a group, and when. */
export interface SeenClient {
  readonly clientType: string;
  readonly count: number;
  readonly firstSeenMs: number;
  readonly lastSeenMs: number;
}

/** A group that called through a channel, with its kinds of programs. */
export interface SeenGroup {
  readonly group: string;
  readonly firstSeenMs: number;
  readonly lastSeenMs: number;
  readonly clients: readonly SeenClient[];
}

const count = (tally: Tally, nowMs: number): void => {
  tally.count += 1;
  tally.lastSeenMs = nowMs;
};

/**
 * Counts in memory which programs call through which channel, and writes the counts from time to time. A call costs one
 * map lookup.
 */
export class Sightings {
  readonly #store: SightingStore;
  readonly #clock: Clock;
  readonly #log: Log;
  #tallies = new Map<string, Tally>();
  /** The count of the last call; the next call mostly belongs to the same. */
  #last: { channelId: number; group: string; userAgent: string | undefined; tally: Tally } | undefined;

  constructor(deps: { readonly sightings: SightingStore; readonly clock: Clock; readonly log: Log }) {
    this.#store = deps.sightings;
    this.#clock = deps.clock;
    this.#log = deps.log;
  }

  /** Counts a call through this channel. */
  readonly seen = (channelId: number, group: string, userAgent: string | undefined): void => {
    const nowMs = this.#clock.now();
    const last = this.#last;
    if (last?.channelId === channelId && last.group === group && last.userAgent === userAgent)
      return count(last.tally, nowMs);
    const key = `${String(channelId)}\n${programOf(userAgent)}\n${group}`;
    const tally = this.#tallies.get(key) ?? { count: 0, firstSeenMs: nowMs, lastSeenMs: nowMs };
    if (tally.count === 0 && this.#tallies.size >= PAIRS_MAX) return;
    this.#tallies.set(key, tally);
    count(tally, nowMs);
    this.#last = { channelId, group, userAgent, tally };
  };

  /** Writes the counts since the last write. If that fails, the next write includes them. */
  readonly flush = async (): Promise<void> => {
    if (this.#tallies.size === 0) return;
    const due = this.#tallies;
    this.#tallies = new Map();
    this.#last = undefined;
    try {
      await this.#store.add([...due].map(([key, tally]) => sightingOf(key, tally)));
    } catch (error) {
      this.#log.error('sightings could not be written', { error });
      for (const [key, tally] of due) {
        const later = this.#tallies.get(key);
        this.#tallies.set(key, later === undefined ? tally : { ...tally, ...added(tally, later) });
      }
    }
  };

  /** Everything known about a channel: groups by last use, and within each the kinds of programs by frequency. */
  async ofChannel(channelId: number): Promise<SeenGroup[]> {
    await this.flush();
    const groups = new Map<string, Sighting[]>();
    for (const sighting of await this.#store.ofChannel(channelId)) {
      const list = groups.get(sighting.group);
      if (list === undefined) groups.set(sighting.group, [sighting]);
      else list.push(sighting);
    }
    return [...groups]
      .map(([group, list]) => ({
        group,
        firstSeenMs: Math.min(...list.map(({ firstSeenMs }) => firstSeenMs)),
        lastSeenMs: Math.max(...list.map(({ lastSeenMs }) => lastSeenMs)),
        clients: list.toSorted((left, right) => right.count - left.count),
      }))
      .toSorted((left, right) => right.lastSeenMs - left.lastSeenMs);
  }
}

const added = (first: Tally, later: Tally): Partial<Tally> => ({
  count: first.count + later.count,
  lastSeenMs: later.lastSeenMs,
});

const sightingOf = (key: string, tally: Tally): Sighting => {
  const [channelId = '', clientType = '', ...group] = key.split('\n');
  return { channelId: Number(channelId), clientType, group: group.join('\n'), ...tally };
};
