import type { ChannelCost } from '#contract/channel/channel-cost.ts';
import type { TimeLimits } from '#contract/channel/time-limits.ts';
import type { Override } from './overrides/override.ts';
import type { OutboundProxy } from '../outbound/outbound-proxy.ts';
import type { Secret } from '../secrets/secret.ts';
import type { KeyLimits, PoolKey, PoolMode } from './keys/pool.ts';

/** An upstream as the operator configured it, parsed and checked, with its key decrypted. */
export interface Channel {
  readonly id: number;
  readonly type: number;
  readonly name: string;
  readonly status: number;
  readonly key: Secret;
  /** The key of the pool that is used; 0 if there is only one key, or none has been chosen yet. */
  readonly keyId: number;
  /** The label of that key; empty if it has none. */
  readonly keyName: string;
  /** Its keys, by id, if it has several and none has been chosen yet. */
  readonly pool: readonly PoolKey[];
  readonly poolMode: PoolMode;
  readonly organization: string;
  /** Without a trailing slash; empty for the type's default. */
  readonly baseUrl: string;
  readonly other: string;
  readonly models: readonly string[];
  readonly groups: readonly string[];
  readonly modelMapping: ReadonlyMap<string, string>;
  /** Upstream status → status sent to the caller. Never affects billing. */
  readonly statusCodeMapping: ReadonlyMap<number, number>;
  readonly setting: ChannelSetting;
  /** Merged into the top level of the request body. */
  readonly paramOverride: Readonly<Record<string, unknown>>;
  readonly testModel: string;
  /** Channels whose limit a prompt exceeds are passed over; 0 means no limit. */
  readonly maxInputTokens: number;
  readonly priority: number;
  readonly weight: number;
  readonly autoDisable: boolean;
  readonly tag: string | null;
}

/** The limits of a channel, and its queue. */
export interface SeatCapacity {
  /** Undefined if only its keys are limited. */
  readonly limits: KeyLimits | undefined;
  /**
   * How many calls may wait at once in each relay; 0 means none. If missing, some may wait when there may be room
   * within two seconds.
   */
  readonly queueCalls?: number;
  /** How long a call waits at most. If missing, ten seconds; two if no queue is set. */
  readonly queueWaitMs?: number;
}

/** The channel's JSON `setting`. */
export interface ChannelSetting {
  /** Time limits for its upstream; missing ones come from the model, or from the defaults in `patience.ts`. */
  readonly limits?: TimeLimits;
  readonly systemPrompt?: string;
  /** Whether bodies that are already in the upstream's format are sent unchanged. */
  readonly passesBody?: boolean;
  /** The proxy for every connection to the upstream. */
  readonly proxy?: OutboundProxy;
  /** Changes to the bodies and headers that are sent, in this order. */
  readonly overrides?: readonly Override[];
  /** How much it may be used, and how calls wait for it; missing if there is no limit. */
  readonly capacity?: SeatCapacity;
  /** What the operator pays for it; missing if that is not known. */
  readonly cost?: ChannelCost;
}

/** A channel as stored: texts as typed, the key encrypted. Used by lists and forms. */
export interface ChannelRow {
  readonly id: number;
  readonly type: number;
  readonly name: string;
  readonly status: number;
  readonly encryptedKey: string;
  readonly organization: string;
  readonly baseUrl: string;
  readonly other: string;
  /** A comma-separated list, as typed. */
  readonly models: string;
  readonly groups: string;
  readonly modelMapping: string;
  readonly statusCodeMapping: string;
  readonly setting: string;
  readonly paramOverride: string;
  readonly testModel: string;
  readonly maxInputTokens: number;
  readonly priority: number;
  readonly weight: number;
  readonly autoDisable: boolean;
  readonly tag: string | null;
  /** The administrator's notes. */
  readonly remark: string;
  readonly usedQuotaUnits: number;
  readonly balanceUsd: number;
  readonly balanceUpdatedAtMs: number;
  readonly responseTimeMs: number;
  readonly testedAtMs: number;
  readonly createdAtMs: number;
  /** JSON text: `status_reason`, `status_time`. */
  readonly otherInfo: string;
  readonly poolMode: PoolMode;
  /** Increases with every change of its pool of keys; 0 while it has a single key. */
  readonly keysVersion: number;
  /** Increases with every change that calls are decided by, also of its keys. */
  readonly revision: number;
}

/** Changes to a channel; absent fields stay the same. `keyMac` goes with a new key. */
export type ChannelChanges = Partial<
  Omit<ChannelRow, 'id' | 'usedQuotaUnits' | 'createdAtMs' | 'keysVersion' | 'revision'>
> & {
  readonly keyMac?: string;
};
