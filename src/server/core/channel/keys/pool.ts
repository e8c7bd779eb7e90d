import type { OutboundProxy } from '../../outbound/outbound-proxy.ts';
import type { Secret } from '../../secrets/secret.ts';

/** How the next key of a pool is chosen. */
export const poolModes = ['in_turn', 'random', 'least_used'] as const;
/** One of `poolModes`. */
export type PoolMode = (typeof poolModes)[number];

/**
 * The status of a key. `cooling` and `spent` end by themselves with the first successful call after `untilMs`;
 * `revoked` was found by a call; `off` was set by an administrator.
 */
export const keyStatuses = ['enabled', 'cooling', 'spent', 'revoked', 'off'] as const;
/** One of `keyStatuses`. */
export type KeyStatus = (typeof keyStatuses)[number];

/** The state of one key of a pool. */
export interface KeyState {
  readonly status: KeyStatus;
  /** The upstream's message, or a predefined phrase; empty if the key is enabled. */
  readonly reason: string;
  /** By the wall clock; 0 unless the key is cooling or spent. */
  readonly untilMs: number;
  /** How often it has waited without a success in between. */
  readonly rounds: number;
}

/** The limits of a key; 0 means no limit. */
export interface KeyLimits {
  readonly callsPerMinute: number;
  readonly tokensPerMinute: number;
  readonly concurrent: number;
  readonly callsPerDay: number;
}

/** One of a channel's several keys. */
export interface PoolKey {
  /** Unique among the keys of all channels. */
  readonly id: number;
  readonly channelId: number;
  /** The operator's label; may be empty. */
  readonly label: string;
  /** Its last characters, by which an operator recognizes it. Never shown to callers. */
  readonly tail: string;
  readonly key: Secret;
  readonly state: KeyState;
  /** Its share if keys are drawn. A key of weight 0 beside others with weight is drawn only after those are used up. */
  readonly weight: number;
  readonly limits: KeyLimits;
  /** Used instead of the channel's proxy. */
  readonly proxy: OutboundProxy | undefined;
}

/** The index of a key in a pool, or where it would be inserted: pools are sorted by id. */
export const placeOf = (pool: readonly PoolKey[], keyId: number): number => {
  let [low, high] = [0, pool.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((pool[middle]?.id ?? 0) < keyId) low = middle + 1;
    else high = middle;
  }
  return low;
};

/** The key with that id; undefined if the pool does not have it. */
export const keyById = (pool: readonly PoolKey[], keyId: number): PoolKey | undefined => {
  const key = pool[placeOf(pool, keyId)];
  return key?.id === keyId ? key : undefined;
};

/** The key's label or last characters, by which administrators recognize it. Never shown to callers. */
export const keyName = ({ label, tail }: Pick<PoolKey, 'label' | 'tail'>): string =>
  label === '' ? `…${tail}` : label;
