/** What was charged for one model in one hour. */
export interface UsageHour {
  readonly model: string;
  /** The start of the hour, in milliseconds since 1970. */
  readonly hourMs: number;
  readonly calls: number;
  readonly quotaUnits: number;
  readonly tokens: number;
}

/** What was charged for one user or token. */
export interface UsageShare {
  /** Of the user or the token; 0 for the playground, and for calls whose token is not known any more. */
  readonly id: number;
  /** As it is called today. */
  readonly name: string;
  readonly calls: number;
  readonly quotaUnits: number;
  readonly tokens: number;
}

/** How calls through one channel ended in one hour. */
export interface ChannelHour {
  readonly channelId: number;
  readonly hourMs: number;
  /** Answered and charged calls. */
  readonly answered: number;
  /** Calls whose final failure was here; a call that another channel then answered counts there. */
  readonly failed: number;
}

export interface UsageFilter {
  /** Inclusive, by the hour. */
  readonly fromMs: number;
  readonly toMs: number;
  readonly userId?: number;
  /** The account that has this name today. */
  readonly username?: string;
}

/** Sums of charged calls, written in the transaction that charges them. */
export interface UsageStore {
  /** By hour and model, oldest first. */
  hours(filter: UsageFilter): Promise<UsageHour[]>;
  /** By channel and hour; hours without calls are left out. */
  channels(span: Pick<UsageFilter, 'fromMs' | 'toMs'>): Promise<ChannelHour[]>;
  /** The users or tokens with the highest charges, at most `limit`. */
  top(by: 'user' | 'token', filter: UsageFilter, limit: number): Promise<UsageShare[]>;
}
