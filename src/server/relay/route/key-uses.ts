import type { Channel } from '#core/channel/channel.ts';
import { isPast, isWaiting } from '#core/channel/keys/key-state.ts';
import type { PoolKey } from '#core/channel/keys/pool.ts';
import type { KeyChoice } from '#core/channel/selection/select-key.ts';
import type { Clock } from '#core/clock.ts';
import { KeyTrials, type TakeTrial } from './key-trials.ts';

/** After this time a use counts half. */
const HALF_MS = 60_000;
/** Later uses count more instead of earlier ones less, until the numbers get too large. */
const MOST_HALVES = 500;
const KEYS_MAX = 500_000;
const CHANNELS_MAX = 50_000;

/** Which keys of pools this relay may use, and has used lately. */
export class KeyUses implements KeyChoice {
  readonly #clock: Pick<Clock, 'now' | 'monotonic'>;
  readonly #trials: KeyTrials;
  #uses = new Map<number, number>();
  #sinceMs: number;
  readonly #last = new Map<number, number>();

  constructor(clock: Pick<Clock, 'now' | 'monotonic'>, takeTrial: TakeTrial) {
    this.#clock = clock;
    this.#trials = new KeyTrials(clock, takeTrial);
    this.#sinceMs = clock.monotonic();
  }

  readonly isOpen = (key: PoolKey): boolean =>
    key.state.status === 'enabled' || (isWaiting(key.state) && this.#trials.isOpen(key));

  /** The choice of keys for one call: if several calls choose at once, only one gets the trial of a key. */
  of(call: object): KeyChoice {
    if (!this.#trials.hasAny) return this;
    return {
      isOpen: (key) =>
        key.state.status === 'enabled' || (isWaiting(key.state) && this.#trials.isOpen(key, call)),
      backKeys: this.backKeys,
      areAsleep: this.areAsleep,
      lastKeyId: this.lastKeyId,
      usesOf: this.usesOf,
    };
  }

  /** A choice that only looks: asks for no trial. */
  get looking(): KeyChoice {
    const { backKeys, areAsleep, lastKeyId, usesOf } = this;
    const isOpen = (key: PoolKey): boolean =>
      key.state.status === 'enabled' || (isWaiting(key.state) && this.#trials.isOurs(key));
    return { isOpen, backKeys, areAsleep, lastKeyId, usesOf };
  }

  readonly backKeys = (channel: Pick<Channel, 'id' | 'pool'>): readonly PoolKey[] =>
    this.#trials.keysOf(channel);

  readonly areAsleep = (wakeMs: number): boolean =>
    wakeMs === Infinity || (!this.#trials.hasAny && !isPast(wakeMs, this.#clock.now()));

  readonly lastKeyId = (channelId: number): number => this.#last.get(channelId) ?? 0;

  readonly usesOf = (keyId: number): number => this.#uses.get(keyId) ?? 0;

  /** Notes that a call is sent with this key. @returns whether it is the key's trial */
  used(seat: Pick<Channel, 'id' | 'keyId'>): boolean {
    const { id, keyId } = seat;
    if (keyId === 0) return false;
    if (this.#halves > MOST_HALVES || this.#uses.size >= KEYS_MAX) this.#startAgain();
    if (this.#last.size >= CHANNELS_MAX) this.#last.clear();
    this.#last.set(id, keyId);
    this.#uses.set(keyId, this.usesOf(keyId) + 2 ** this.#halves);
    return this.#trials.begin(seat);
  }

  get #halves(): number {
    return (this.#clock.monotonic() - this.#sinceMs) / HALF_MS;
  }

  #startAgain(): void {
    this.#uses = new Map();
    this.#sinceMs = this.#clock.monotonic();
  }
}
