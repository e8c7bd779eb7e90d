import { isDue, isWaiting, KEY_TRIAL_MS } from '#core/channel/key-state.ts';
import type { Channel } from '#core/channel/channel.ts';
import { keyById, type PoolKey } from '#core/channel/pool.ts';
import { dueKeys } from '#core/channel/pool-order.ts';
import type { Clock } from '#core/clock.ts';

/** Another relay may have the trial: it is asked for again after so long. */
const ASK_AGAIN_MS = 5000;
const ASKED_MAX = 50_000;
/** A call that could choose the key for its trial, and did not begin with it, leaves it to others after so long. */
const CHOOSING_MS = 1000;

/** So many keys of a channel are tried or asked for at once: one that works is enough to go on with. */
const AT_ONCE = 4;

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
  /** By channel and key until when this relay may try each; monotonic. 0 while it waits for the answer. */
  readonly #untilMs = new Map<number, Map<number, number>>();
  /** Who is choosing each of them: calls that choose in the same moment must not all begin with it. */
  readonly #choosing = new Map<number, { readonly call: object; readonly sinceMs: number }>();

  constructor(clock: Pick<Clock, 'now' | 'monotonic'>, take: TakeTrial) {
    this.#clock = clock;
    this.#take = take;
  }

  /** Whether any may be tried by this relay now, or is asked for. */
  get hasAny(): boolean {
    return this.#untilMs.size > 0;
  }

  /** The waiting keys of a channel of which one may be open to a call, or is to be asked for. */
  keysOf({ id, pool }: Pick<Channel, 'id' | 'pool'>): readonly PoolKey[] {
    const due = dueKeys(pool, this.#clock.now(), AT_ONCE);
    const ours = this.#untilMs.get(id);
    if (ours === undefined) return due;
    const keys = new Set(due);
    for (const [keyId, untilMs] of ours) {
      const key = keyById(pool, keyId);
      if (key !== undefined && isWaiting(key.state)) keys.add(key);
      // It works again, or is gone: others of the channel have their turn.
      else if (untilMs > 0) this.#forget(id, keyId);
    }
    return [...keys];
  }

  /** Whether the key may be tried by this relay, asking and reserving nothing. */
  isOurs({ id, channelId }: PoolKey): boolean {
    return this.#clock.monotonic() < (this.#untilMs.get(channelId)?.get(id) ?? 0);
  }

  /**
   * Whether a waiting key may be tried by the next call.
   * @param call who asks and would begin with it: for a moment then nobody else may
   */
  isOpen(key: PoolKey, call?: object): boolean {
    const { id, channelId, state } = key;
    if (this.hasAny && isWaiting(state)) {
      const nowMs = this.#clock.monotonic();
      const untilMs = this.#untilMs.get(channelId)?.get(id) ?? 0;
      if (nowMs < untilMs) return this.#isFor(call, id, nowMs);
      // Nobody took it while it was ours.
      if (untilMs > 0) this.#forget(channelId, id);
    }
    if (isDue(state, this.#clock.now())) this.#ask(key);
    return false;
  }

  /** A call is sent with the key. @returns whether it is the trial: no other call is, then */
  begin({ id: channelId, keyId }: Pick<Channel, 'id' | 'keyId'>): boolean {
    if (!this.hasAny) return false;
    this.#choosing.delete(keyId);
    return (this.#untilMs.get(channelId)?.get(keyId) ?? 0) > 0 && this.#forget(channelId, keyId);
  }

  #isFor(call: object | undefined, keyId: number, nowMs: number): boolean {
    const choosing = this.#choosing.get(keyId);
    if (choosing !== undefined && nowMs - choosing.sinceMs < CHOOSING_MS) return choosing.call === call;
    if (call !== undefined) this.#choosing.set(keyId, { call, sinceMs: nowMs });
    return true;
  }

  #ask({ id, channelId }: PoolKey): void {
    const nowMs = this.#clock.monotonic();
    const ours = this.#untilMs.get(channelId) ?? new Map<number, number>();
    if (ours.size >= AT_ONCE || nowMs - (this.#askedAtMs.get(id) ?? -Infinity) < ASK_AGAIN_MS) return;
    if (this.#askedAtMs.size >= ASKED_MAX) this.#askedAtMs.clear();
    this.#askedAtMs.set(id, nowMs);
    this.#untilMs.set(channelId, ours.set(id, 0));
    this.#take(channelId, id).then(
      (isOurs) => {
        // Others leave the key alone from the moment it was asked for.
        if (isOurs) ours.set(id, nowMs + KEY_TRIAL_MS);
        else this.#forget(channelId, id);
      },
      () => this.#forget(channelId, id),
    );
  }

  #forget(channelId: number, keyId: number): boolean {
    const ours = this.#untilMs.get(channelId);
    const had = ours?.delete(keyId) === true;
    if (ours?.size === 0) this.#untilMs.delete(channelId);
    return had;
  }
}
