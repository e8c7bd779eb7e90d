import type { Channel } from '../channel.ts';
import { drawOpen } from './draw.ts';
import { type PoolKey, placeOf } from '../keys/pool.ts';
import { orderOf } from '../keys/pool-order.ts';

/** What the choice of a key depends on, besides the pool. */
export interface KeyChoice {
  /** Whether its state allows using it now. A key whose wait is over is open to the one call that tries it. */
  readonly isOpen: (key: PoolKey) => boolean;
  /** Those of the channel's waiting keys that may be open now: usually none. */
  readonly backKeys: (channel: Pick<Channel, 'id' | 'pool'>) => readonly PoolKey[];
  /** Whether no waiting key can be open now, given when the first wait ends (wall clock). */
  readonly areAsleep: (wakeMs: number) => boolean;
  /** The id of the channel's key that was used last; 0 if none was. */
  readonly lastKeyId: (channelId: number) => number;
  /** How much the key was used recently, in the same unit for all keys. */
  readonly usesOf: (keyId: number) => number;
}

/** Up to this many keys are compared; from more, this many are sampled. */
const COMPARED = 16;

/** The keys that may be open: enabled ones, and those whose wait is over. */
export const usableKeys = (
  channel: Pick<Channel, 'id' | 'pool'>,
  { backKeys }: Pick<KeyChoice, 'backKeys'>,
): readonly PoolKey[] => {
  const { enabled } = orderOf(channel.pool);
  const back = backKeys(channel);
  return back.length === 0 ? enabled : [...enabled, ...back].sort((one, other) => one.id - other.id);
};

/** The next open key after the one used last. */
const inTurn = (
  pool: readonly PoolKey[],
  isOpen: (key: PoolKey) => boolean,
  lastKeyId: number,
): PoolKey | undefined => {
  const start = placeOf(pool, lastKeyId + 1);
  for (let step = 0; step < pool.length; step += 1) {
    const key = pool[(start + step) % pool.length];
    if (key !== undefined && isOpen(key)) return key;
  }
  return undefined;
};

/** Uses per unit of weight. */
const loadOf = ({ id, weight }: PoolKey, usesOf: (keyId: number) => number): number =>
  (usesOf(id) + 1) / Math.max(weight, 1);

const leastUsed = (
  pool: readonly PoolKey[],
  isOpen: (key: PoolKey) => boolean,
  usesOf: (keyId: number) => number,
  dice: number,
): PoolKey | undefined => {
  let [least, load]: [PoolKey | undefined, number] = [undefined, Infinity];
  // Starts at a random position, so that equal keys take turns, and stops after the first few open ones.
  const start = Math.floor(dice * pool.length);
  for (let [step, seen] = [0, 0]; step < pool.length && seen < COMPARED; step += 1) {
    const key = pool[(start + step) % pool.length];
    if (key === undefined || !isOpen(key)) continue;
    seen += 1;
    const own = loadOf(key, usesOf);
    if (own < load) [least, load] = [key, own];
  }
  return least;
};

/**
 * Chooses one of a channel's open keys; undefined if there is none. In turn: the next one. Random: by weight. Least
 * used: the one with the fewest uses for its weight among up to sixteen.
 * @param dice at least 0, below 1
 */
export const selectKey = (
  channel: Pick<Channel, 'id' | 'pool' | 'poolMode'>,
  isOpen: (key: PoolKey) => boolean,
  choice: KeyChoice,
  dice: number,
): PoolKey | undefined => {
  const { id, poolMode } = channel;
  const keys = usableKeys(channel, choice);
  if (poolMode === 'random') return drawOpen(keys, isOpen, dice);
  if (poolMode === 'least_used') return leastUsed(keys, isOpen, choice.usesOf, dice);
  return inTurn(keys, isOpen, choice.lastKeyId(id));
};
