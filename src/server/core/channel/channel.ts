import type { ChannelCost } from '#contract/channel-cost.ts';
import type { TimeLimits } from '#contract/time-limits.ts';
import type { Override } from './overrides/override.ts';
import type { OutboundProxy } from '../outbound-proxy.ts';
import type { Secret } from '../secret.ts';
import type { KeyLimits, PoolKey, PoolMode } from './pool.ts';

/** An upstream as the operator entered it, parsed and checked, with the key decrypted. */
export interface Channel {
  readonly id: number;
  readonly type: number;
  readonly name: string;
  readonly status: number;
  readonly key: Secret;
  /** The key of the pool that it is used with; 0 if it has one key only, or none was chosen yet. */
  readonly keyId: number;
  /** What administrators call that key; empty without one. */
  readonly keyName: string;
  /** Its keys, by id, if it has several and none was chosen yet. */
  readonly pool: readonly PoolKey[];
  readonly poolMode: PoolMode;
  readonly organization: string;
  /** Without a trailing slash; empty means the type's default. */
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
  /** Longer prompts go to other channels; 0 means no limit. */
  readonly maxInputTokens: number;
  readonly priority: number;
  readonly weight: number;
  readonly autoDisable: boolean;
  readonly tag: string | null;
}

/** Limits of a channel, and the queue before it. */
export interface SeatCapacity {
  /** Undefined where only its keys are limited. */
  readonly limits: KeyLimits | undefined;
  /** How many calls may wait at once in each relay, 0 if none may; not given: some, where there may be room within two seconds. */
  readonly queueCalls?: number;
  /** How long each waits at most; not given: ten seconds, two where no queue was asked for. */
  readonly queueWaitMs?: number;
}

/** The channel's JSON `setting`. */
export interface ChannelSetting {
  /** Time limits of its upstream; missing ones come from the model, or from the defaults in `patience.ts`. */
  readonly limits?: TimeLimits;
  readonly systemPrompt?: string;
  /** Sends bodies that are already in the upstream's format unchanged. */
  readonly passesBody?: boolean;
  /** The proxy for every connection to the upstream. */
  readonly proxy?: OutboundProxy;
  /** What it changes of bodies and headers that go out, in this order. */
  readonly overrides?: readonly Override[];
  /** How much it may be used, and who waits for it; absent without a limit. */
  readonly capacity?: SeatCapacity;
  /** What the operator pays for it; absent if that is not known. */
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
  /** Comma list, as typed. */
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
  /** What administrators noted about it. */
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
  /** Grows with every change of its several keys; 0 while it has one. */
  readonly keysVersion: number;
}
