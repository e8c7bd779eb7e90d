/** How often, and between which times, one kind of client used a channel in a group. */
export interface Sighting {
  readonly channelId: number;
  readonly group: string;
  readonly clientType: string;
  readonly count: number;
  readonly firstSeenMs: number;
  readonly lastSeenMs: number;
}

/** Stores sightings; adding increases what is already stored. */
export interface SightingStore {
  add(sightings: readonly Sighting[]): Promise<void>;
  ofChannel(channelId: number): Promise<readonly Sighting[]>;
  /** Deletes sightings of deleted channels. */
  deleteOrphans(): Promise<void>;
}
