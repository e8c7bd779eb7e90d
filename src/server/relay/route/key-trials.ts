import { isDue, isWaiting, KEY_TRIAL_MS } from '#core/channel/key-state.ts';
import type { PoolKey } from '#core/channel/pool.ts';
import type { Clock } from '#core/clock.ts';

/** Another relay may have the trial: it is asked for again after so long. */
const ASK_AGAIN_MS = 5000;
const ASKED_MAX = 50_000;
/** A call that could choose the key for its trial, and did not begin with it, leaves it to others after so long. */
const CHOOSING_MS = 1000;

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
  /** Who is choosing each of them: calls that choose in the same moment must not all begin with it. */
  readonly #choosing = new Map<number, { readonly call: object; readonly sinceMs: number }>();

  constructor(clock: Pick<Clock, 'now' | 'monotonic'>, take: TakeTrial) {
    this.#clock = clock;
    this.#take = take;
  }

  /** Whether any may be tried by this relay now. */
  get hasAny(): boolean {
    return this.#untilMs.size > 0;
  }

  /**
   * Whether a waiting key may be tried by the next call.
   * @param call who asks and would begin with it: for a moment then nobody else may
   */
  isOpen(key: PoolKey, call?: object): boolean {
    if (this.hasAny && isWaiting(key.state)) {
      const nowMs = this.#clock.monotonic();
      if (nowMs < (this.#untilMs.get(key.id) ?? -Infinity)) return this.#isFor(call, key.id, nowMs);
    }
    if (isDue(key.state, this.#clock.now())) this.#ask(key);
    return false;
  }

  /** A call is sent with the key. @returns whether it is the trial: no other call is, then */
  begin(keyId: number): boolean {
    if (!this.hasAny) return false;
    this.#choosing.delete(keyId);
    return this.#untilMs.delete(keyId);
  }

  #isFor(call: object | undefined, keyId: number, nowMs: number): boolean {
    const choosing = this.#choosing.get(keyId);
    if (choosing !== undefined && nowMs - choosing.sinceMs < CHOOSING_MS) return choosing.call === call;
    if (call !== undefined) this.#choosing.set(keyId, { call, sinceMs: nowMs });
    return true;
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
