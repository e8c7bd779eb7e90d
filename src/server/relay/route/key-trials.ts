import { isDue, isWaiting, KEY_TRIAL_MS } from '#core/channel/key-state.ts';
import type { PoolKey } from '#core/channel/pool.ts';
import type { Clock } from '#core/clock.ts';

/** Another relay may have the trial: it is asked for again after so long. */
const ASK_AGAIN_MS = 5000;
const ASKED_MAX = 50_000;

/** Takes the one trial that all relays and nodes have of a key; false if another has it. */
export type TakeTrial = (channelId: number, keyId: number) => Promise<boolean>;

/**
 * Keys that have waited to their end. One call of one relay may try each: the relay asks for it when the key could be
 * chosen, and leaves the key out until it has the answer.
 */
export class KeyTrials {
  readonly #clock: Pick<Clock, 'now' | 'monotonic'>;
  readonly #take: TakeTrial;
  /** When each key was asked for last; monotonic. */
  readonly #askedAtMs = new Map<number, number>();
  /** Until when this relay may try each; monotonic. */
  readonly #untilMs = new Map<number, number>();

  constructor(clock: Pick<Clock, 'now' | 'monotonic'>, take: TakeTrial) {
    this.#clock = clock;
    this.#take = take;
  }

  /** Whether a waiting key may be tried by the next call. */
  isOpen(key: PoolKey): boolean {
    if (this.#untilMs.size > 0 && isWaiting(key.state)) {
      const untilMs = this.#untilMs.get(key.id);
      if (untilMs !== undefined && this.#clock.monotonic() < untilMs) return true;
    }
    if (isDue(key.state, this.#clock.now())) this.#ask(key);
    return false;
  }

  /** A call is sent with the key. @returns whether it is the trial: no other call is, then */
  begin(keyId: number): boolean {
    return this.#untilMs.size > 0 && this.#untilMs.delete(keyId);
  }

  #ask({ id, channelId }: PoolKey): void {
    const nowMs = this.#clock.monotonic();
    if (nowMs - (this.#askedAtMs.get(id) ?? -Infinity) < ASK_AGAIN_MS) return;
    if (this.#askedAtMs.size >= ASKED_MAX) this.#askedAtMs.clear();
    this.#askedAtMs.set(id, nowMs);
    this.#take(channelId, id).then(
      (isOurs) => {
        // Others leave the key alone from the moment it was asked for.
        if (isOurs) this.#untilMs.set(id, nowMs + KEY_TRIAL_MS);
      },
      () => undefined,
    );
  }
}
