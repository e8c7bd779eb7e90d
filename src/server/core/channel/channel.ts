import type { TimeLimits } from '#contract/time-limits.ts';
import type { OutboundProxy } from '../outbound-proxy.ts';
import type { Secret } from '../secret.ts';

/** An upstream as operators enter it, read and checked; the key opened for sending. */
export interface Channel {
  readonly id: number;
  readonly type: number;
  readonly name: string;
  readonly status: number;
  readonly key: Secret;
  readonly organization: string;
  /** Without a trailing slash; empty means the type's own. */
  readonly baseUrl: string;
  readonly other: string;
  readonly models: readonly string[];
  readonly groups: readonly string[];
  readonly modelMapping: ReadonlyMap<string, string>;
  /** Upstream status → status that is answered. Never touches billing. */
  readonly statusCodeMapping: ReadonlyMap<number, number>;
  readonly setting: ChannelSetting;
  /** Merged over the top level of the body that is sent. */
  readonly paramOverride: Readonly<Record<string, unknown>>;
  readonly testModel: string;
  /** Longer prompts go to other channels; 0 for any length. */
  readonly maxInputTokens: number;
  readonly priority: number;
  readonly weight: number;
  readonly autoDisable: boolean;
  readonly tag: string | null;
}

/** The channel's JSON `setting`. */
export interface ChannelSetting {
  /** How long its upstream may take; what is not given is the model's, or `patience.ts`'s default. */
  readonly limits?: TimeLimits;
  readonly systemPrompt?: string;
  /** Bodies in the upstream's own format go out as they came. */
  readonly passesBody?: boolean;
  /** What carries every connection to the upstream. */
  readonly proxy?: OutboundProxy;
}

/** A channel as its row has it: texts as typed, the key encrypted. Lists and forms use this. */
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
  readonly usedQuotaUnits: number;
  readonly balanceUsd: number;
  readonly balanceUpdatedAtMs: number;
  readonly responseTimeMs: number;
  readonly testedAtMs: number;
  readonly createdAtMs: number;
  /** JSON text: `status_reason`, `status_time`. */
  readonly otherInfo: string;
}
