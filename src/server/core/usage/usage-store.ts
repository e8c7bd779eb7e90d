/** What was charged for one model in one hour. */
export interface UsageHour {
  readonly model: string;
  /** Milliseconds since 1970, the hour's beginning. */
  readonly hourMs: number;
  readonly calls: number;
  readonly quotaUnits: number;
  readonly tokens: number;
}

/** What was charged for one user or token. */
export interface UsageShare {
  readonly name: string;
  readonly calls: number;
  readonly quotaUnits: number;
  readonly tokens: number;
}

/** How calls through one channel ended in one hour. */
export interface ChannelHour {
  readonly channelId: number;
  readonly hourMs: number;
  /** Answered and charged. */
  readonly answered: number;
  /** Failed here in the end: what another channel then answered counts there. */
  readonly failed: number;
}

export interface UsageFilter {
  /** Inclusive, by the hour. */
  readonly fromMs: number;
  readonly toMs: number;
  readonly userId?: number;
  /** The account that has this name now. */
  readonly username?: string;
}

/** Sums of charged calls, kept in the transaction that charged them. */
export interface UsageStore {
  /** By hour and model, oldest first. */
  hours(filter: UsageFilter): Promise<UsageHour[]>;
  /** By channel and hour, of the hours that have any calls. */
  channels(span: Pick<UsageFilter, 'fromMs' | 'toMs'>): Promise<ChannelHour[]>;
  /** The users or tokens that were charged most, at most `limit`. */
  top(by: 'user' | 'token', filter: UsageFilter, limit: number): Promise<UsageShare[]>;
}
