import type { ModelRateLimit, ModelRateOutcome, ModelRatePlace } from '#core/limits/model-rate-limiter.ts';
import type { KeyNews } from '#core/channel/keys/key-state.ts';
import type { LiveReport } from '#core/channel/live-sums.ts';
import type { NewsItem } from '#core/news.ts';
import type { AddressTable } from '../http/door/shared-address-counts.ts';
import type { Counted } from '../http/site/metrics.ts';
import type { RoomCounter } from '../limits/asked-seat-room.ts';
import type { SiteDoor } from '../http/site/site-door.ts';
import type { Config } from '../config.ts';
import type { RelaySeat } from '../store/database/database.ts';

/** What the thread of a further relay is started with. */
export interface RelayStart {
  readonly config: Config;
  /** The port that all relays share. */
  readonly port: number;
  readonly seat: RelaySeat;
  readonly addresses: AddressTable;
  readonly column: number;
  /** Where it forwards every request that is not a relay call. */
  readonly siteDoor: SiteDoor;
}

/**
 * The functions that the main thread offers to a further relay. A type alias, because an interface does not fit
 * `Line`'s record type.
 */
export type MainOffers = {
  readonly ready: () => void;
  readonly print: (line: string) => void;
  readonly begin: (
    userId: number,
    limit: ModelRateLimit,
    nowMs: number,
  ) => ModelRateOutcome | Promise<ModelRateOutcome>;
  readonly giveBack: (place: ModelRatePlace, nowMs: number) => void;
  readonly succeeded: (userId: number, limit: ModelRateLimit, nowMs: number) => void;
  readonly takeRoom: RoomCounter['take'];
  readonly endRoom: RoomCounter['end'];
  readonly moreRoom: RoomCounter['more'];
  readonly wrongKey: (ip: string, windowMs: number, nowMs: number) => void;
  readonly balances: (units: ReadonlyMap<number, number>) => void;
  readonly autoDisable: (channelId: number, reason: string) => void;
  readonly keyRefused: (news: KeyNews) => void;
  readonly keyWorks: (channelId: number, keyId: number) => void;
  readonly takeKeyTrial: (channelId: number, keyId: number) => Promise<boolean>;
  readonly soldBelowCost: (channelId: number, model: string, group: string) => void;
  /** Publishes prices that are due. */
  readonly pricesDue: () => Promise<void>;
  readonly writeKept: () => Promise<void>;
  readonly news: (items: readonly NewsItem[]) => void;
  /** Whether any other relay is sending the response of that hold to a reader. */
  readonly isHeard: (holdId: string) => Promise<boolean>;
};

/** The functions that a further relay offers to the main thread. */
export type RelayOffers = {
  /** Reads the configuration again. */
  readonly refresh: () => Promise<void>;
  readonly forgetToken: (tokenId: number) => void;
  readonly forgetUser: (userId: number) => void;
  readonly wrongKey: (ip: string, windowMs: number, nowMs: number) => void;
  readonly news: (items: readonly NewsItem[]) => void;
  /** Ends the running calls with this message. */
  readonly endCalls: (why: string) => void;
  readonly counted: () => Promise<Counted>;
  readonly pulses: () => Promise<LiveReport>;
  /** Stores pending records of where responses are kept. */
  readonly writeKept: () => Promise<void>;
  /** Whether it is sending the response of that hold to a reader. */
  readonly isHeard: (holdId: string) => Promise<boolean>;
  readonly stop: (graceMs: number) => Promise<void>;
};
