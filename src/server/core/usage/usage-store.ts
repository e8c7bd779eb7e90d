/** What was charged for one model in one hour. */
export interface UsageHour {
  readonly model: string;
  /** The start of the hour, in milliseconds since 1970. */
  readonly hourMs: number;
  readonly calls: number;
  readonly quotaUnits: number;
  readonly tokens: number;
}

/** The same for one channel, user, token or program, or for all but the largest together. */
export interface UsageHourOf extends Omit<UsageHour, 'model'> {
  /** The id of the channel, user or token; 0 for calls without one, for programs, and for the rest. */
  readonly id: number;
  /** Its current name; empty if it was deleted, and for the rest. */
  readonly name: string;
  readonly isRest: boolean;
}

/** How the calls of a key went. */
export interface KeySums {
  readonly answered: number;
  /** Calls that ended with an error. */
  readonly failed: number;
  /** Prompt tokens of answered calls; below, those of them read from caches. */
  readonly promptTokens: number;
  readonly cachedTokens: number;
  /** Of the streamed calls among the latest logged ones; null if there were none. */
  readonly firstTokenP95Ms: number | null;
  /** The number of calls it is computed from. */
  readonly firstTokenCalls: number;
}

/** What was charged for one user or token. */
export interface UsageShare {
  /** The id of the user or the token; 0 for the playground, and for calls whose token is unknown. */
  readonly id: number;
  /** Its current name. */
  readonly name: string;
  readonly calls: number;
  readonly quotaUnits: number;
  readonly tokens: number;
}

/** What margins can be grouped by. */
export type MarginBy = 'channel' | 'model' | 'group' | 'user' | 'token' | 'day' | 'hour';

/** Which calls a margin covers. */
export interface MarginFilter extends UsageFilter {
  readonly channelId?: number;
  readonly tokenId?: number;
  readonly model?: string;
  readonly group?: string;
}

/** What calls were charged and what they cost. The margin covers only calls of known cost. */
export interface MarginShare {
  /** The id of a channel, user or token; the beginning of a day or hour; 0 for groupings by name. */
  readonly id: number;
  /** Its current name; empty for times, and if it was deleted. */
  readonly name: string;
  readonly calls: number;
  readonly quotaUnits: number;
  /** For the calls of known cost, in billionths of a US dollar. */
  readonly costNano: number;
  /** Calls of unknown cost, and their charges. */
  readonly uncosted: number;
  readonly uncostedQuotaUnits: number;
}

/** What cache sums can be grouped by. */
export type CacheBy = 'channel' | 'model' | 'day' | 'hour';

interface CacheSums {
  readonly calls: number;
  readonly quotaUnits: number;
  readonly promptTokens: number;
  /** The prompt tokens that were read from a cache. */
  readonly cachedTokens: number;
  /** What caches saved on charges; below 0 if cache writes cost more. */
  readonly savedUnits: number;
}

/** The effect of prompt caches on charged calls. */
export interface CacheShare extends CacheSums {
  /** The id of a channel; the beginning of a day or hour; 0 for models. */
  readonly id: number;
  /** Its current name; empty for times, and if it was deleted. */
  readonly name: string;
}

/** The same for one session with one model. */
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
  /** Calls whose final failure was on this channel; if another channel then answered, the call counts there. */
  readonly failed: number;
}

/** Which calls to add up. */
export interface UsageFilter {
  /** Inclusive, in whole hours. */
  readonly fromMs: number;
  readonly toMs: number;
  readonly userId?: number;
  /** The current name of the account. */
  readonly username?: string;
}

/** Computes totals of hours that are over, so that site-wide views need not read the sums of every user. */
export interface HourTotalsStore {
  /**
   * Computes the totals of hours that have none, or that calls were written into since; the newest first, at most
   * `limit`.
   * @returns how many hours were computed
   */
  addUpHours(nowMs: number, limit: number): Promise<number>;
}

/** Sums of charged calls, written in the transaction that charges them. */
export interface UsageStore {
  /** Per hour and model, oldest first. */
  hours(filter: UsageFilter): Promise<UsageHour[]>;
  /** Per hour for the `largest` by charge, and for all others together; oldest first. */
  hoursBy(
    by: 'channel' | 'user' | 'token' | 'program',
    filter: UsageFilter,
    largest: number,
  ): Promise<UsageHourOf[]>;
  keySums(filter: UsageFilter): Promise<KeySums>;
  /**
   * Per channel and hour, for all channels unless some are given; hours without calls are left out; at most `limit`
   * rows.
   */
  channels(
    filter: Pick<UsageFilter, 'fromMs' | 'toMs'> & { readonly ids?: readonly number[] | undefined },
    limit: number,
  ): Promise<ChannelHour[]>;
  /** The highest charges first, but times oldest first; at most `limit`. */
  margin(by: MarginBy, filter: MarginFilter, limit: number): Promise<MarginShare[]>;
  /** Times oldest first, others by prompt length, longest first; at most `limit`. */
  cache(by: CacheBy, filter: UsageFilter, limit: number): Promise<CacheShare[]>;
  /** The sessions used last, according to the logs; at most `limit`. */
  sessions(filter: UsageFilter, limit: number): Promise<SessionShare[]>;
  /** The users or tokens with the highest charges, at most `limit`. */
  top(by: 'user' | 'token', filter: UsageFilter, limit: number): Promise<UsageShare[]>;
}
