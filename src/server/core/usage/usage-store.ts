/** What was charged for one model in one hour. */
export interface UsageHour {
  readonly model: string;
  /** The start of the hour, in milliseconds since 1970. */
  readonly hourMs: number;
  readonly calls: number;
  readonly quotaUnits: number;
  readonly tokens: number;
}

/** The same of one channel, user, token or program, or of all but the largest together. */
export interface UsageHourOf extends Omit<UsageHour, 'model'> {
  /** Of the channel, user or token; 0 for what has none, for programs, and for the rest. */
  readonly id: number;
  /** As it is called today; empty for what is deleted, and for the rest. */
  readonly name: string;
  readonly isRest: boolean;
}

/** How calls went. */
export interface KeySums {
  readonly answered: number;
  /** Calls that ended with an error. */
  readonly failed: number;
  /** Of answered calls, and those of them that were read from caches. */
  readonly promptTokens: number;
  readonly cachedTokens: number;
  /** Of the streamed ones among the latest calls that are logged; null of none. */
  readonly firstTokenP95Ms: number | null;
  /** Of how many calls that is told. */
  readonly firstTokenCalls: number;
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

/** What a margin can be told by. */
export type MarginBy = 'channel' | 'model' | 'group' | 'user' | 'token' | 'day' | 'hour';

/** Which calls margins are of. */
export interface MarginFilter extends UsageFilter {
  readonly channelId?: number;
  readonly tokenId?: number;
  readonly model?: string;
  readonly group?: string;
}

/** What was charged for charged calls, and what they cost. Their margin is that of the calls whose cost is known. */
export interface MarginShare {
  /** The id of a channel, user or token; the beginning of a day or hour; 0 for names. */
  readonly id: number;
  /** As it is called today; empty for times, and for what is deleted. */
  readonly name: string;
  readonly calls: number;
  readonly quotaUnits: number;
  /** Of the calls whose cost is known, in billionths of a US dollar. */
  readonly costNano: number;
  /** Calls of unknown cost, and what was charged for them. */
  readonly uncosted: number;
  readonly uncostedQuotaUnits: number;
}

/** What cache sums can be told by. */
export type CacheBy = 'channel' | 'model' | 'day' | 'hour';

interface CacheSums {
  readonly calls: number;
  readonly quotaUnits: number;
  readonly promptTokens: number;
  /** Of the prompt tokens, those that were read from a cache. */
  readonly cachedTokens: number;
  /** What was not charged because of caches; below 0 where writing them cost more. */
  readonly savedUnits: number;
}

/** What prompt caches did for charged calls. */
export interface CacheShare extends CacheSums {
  /** The id of a channel; the beginning of a day or hour; 0 for models. */
  readonly id: number;
  /** As it is called today; empty for times, and for what is deleted. */
  readonly name: string;
}

/** The same of one session with one model. */
export interface SessionShare extends CacheSums {
  readonly session: string;
  readonly model: string;
  readonly username: string;
  readonly usedAtMs: number;
  /** How many channels answered it. */
  readonly channels: number;
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

/** Which calls are added up. */
export interface UsageFilter {
  /** Inclusive, by the hour. */
  readonly fromMs: number;
  readonly toMs: number;
  readonly userId?: number;
  /** The account that has this name today. */
  readonly username?: string;
}

/** Adds up hours that are over, so that views of everybody's calls need not read each of their sums. */
export interface HourTotalsStore {
  /**
   * Adds up hours that were not, or that calls were written into since, the newest first and at most `limit`.
   * @returns how many there were
   */
  addUpHours(nowMs: number, limit: number): Promise<number>;
}

/** Sums of charged calls, written in the transaction that charges them. */
export interface UsageStore {
  /** By hour and model, oldest first. */
  hours(filter: UsageFilter): Promise<UsageHour[]>;
  /** By hour of the `largest` by charge, and of all others together; oldest first. */
  hoursBy(
    by: 'channel' | 'user' | 'token' | 'program',
    filter: UsageFilter,
    largest: number,
  ): Promise<UsageHourOf[]>;
  keySums(filter: UsageFilter): Promise<KeySums>;
  /** By channel and hour, of all channels unless some are named; hours without calls are left out; at most `limit`. */
  channels(
    filter: Pick<UsageFilter, 'fromMs' | 'toMs'> & { readonly ids?: readonly number[] | undefined },
    limit: number,
  ): Promise<ChannelHour[]>;
  /** The highest charges first, times oldest first; at most `limit`. */
  margin(by: MarginBy, filter: MarginFilter, limit: number): Promise<MarginShare[]>;
  /** Times oldest first, else the longest prompts first; at most `limit`. */
  cache(by: CacheBy, filter: UsageFilter, limit: number): Promise<CacheShare[]>;
  /** The sessions used last, by the logs; at most `limit`. */
  sessions(filter: UsageFilter, limit: number): Promise<SessionShare[]>;
  /** The users or tokens with the highest charges, at most `limit`. */
  top(by: 'user' | 'token', filter: UsageFilter, limit: number): Promise<UsageShare[]>;
}
