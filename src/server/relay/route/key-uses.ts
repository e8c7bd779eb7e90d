import type { Channel } from '#core/channel/channel.ts';
import { isPast, isWaiting } from '#core/channel/key-state.ts';
import type { PoolKey } from '#core/channel/pool.ts';
import type { KeyChoice } from '#core/channel/select-key.ts';
import type { Clock } from '#core/clock.ts';
import { KeyTrials, type TakeTrial } from './key-trials.ts';

/** A use counts half after so long. */
const HALF_MS = 60_000;
/** Later uses count more, in place of earlier ones less: until the numbers get too large. */
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

  /** The same for one call, which chooses and then begins: of several that choose at once, one has the trial of a key. */
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

  /** The same for who only looks: nothing is asked for. */
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

  /** A call is sent with this key. @returns whether it is the one that tries the key after its wait */
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
