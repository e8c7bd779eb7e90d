import type { OutboundProxy } from '../outbound-proxy.ts';
import type { Secret } from '../secret.ts';

/** How the next key of a pool is chosen. */
export const poolModes = ['in_turn', 'random', 'least_used'] as const;
export type PoolMode = (typeof poolModes)[number];

/**
 * What is known of a key: `cooling` and `spent` end by themselves, by one call that succeeds after `untilMs`; `revoked` was
 * found out by a call, `off` was decided by somebody.
 */
export const keyStatuses = ['enabled', 'cooling', 'spent', 'revoked', 'off'] as const;
export type KeyStatus = (typeof keyStatuses)[number];

/** What is known of one key of a pool. */
export interface KeyState {
  readonly status: KeyStatus;
  /** In the upstream's words, or a kept phrase; empty if it is enabled. */
  readonly reason: string;
  /** Wall clock. 0 unless it is cooling or spent. */
  readonly untilMs: number;
  /** How often it has waited with no success in between. */
  readonly rounds: number;
}

/** What a key may be used for at most; 0 means without a limit. */
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
  /** What the operator calls it; may be empty. */
  readonly label: string;
  /** Its last characters, by which an operator knows it again. Not for callers. */
  readonly tail: string;
  readonly key: Secret;
  readonly state: KeyState;
  /** Its share where keys are drawn; 0 beside others is drawn only when those are used up. */
  readonly weight: number;
  readonly limits: KeyLimits;
  /** In place of the channel's. */
  readonly proxy: OutboundProxy | undefined;
}

/** Where a key stands in a pool, or would stand: a pool is in the order of its ids. */
export const placeOf = (pool: readonly PoolKey[], keyId: number): number => {
  let [low, high] = [0, pool.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((pool[middle]?.id ?? 0) < keyId) low = middle + 1;
    else high = middle;
  }
  return low;
};

/** The key of that id; undefined if the pool has none. */
export const keyById = (pool: readonly PoolKey[], keyId: number): PoolKey | undefined => {
  const key = pool[placeOf(pool, keyId)];
  return key?.id === keyId ? key : undefined;
};

/** The key as administrators know it again: what they call it, or its end. Never for callers. */
export const keyName = ({ label, tail }: Pick<PoolKey, 'label' | 'tail'>): string =>
  label === '' ? `…${tail}` : label;
