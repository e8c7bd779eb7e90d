import { isDue, isWaiting, KEY_TRIAL_MS } from '#core/channel/keys/key-state.ts';
import type { Channel } from '#core/channel/channel.ts';
import { keyById, type PoolKey } from '#core/channel/keys/pool.ts';
import { dueKeys } from '#core/channel/keys/pool-order.ts';
import type { Clock } from '#core/clock.ts';

/** If another relay has the trial, ask again after this long. */
const ASK_AGAIN_MS = 5000;
const ASKED_MAX = 50_000;
/** A call that looks at a key reserves it for this long, even if it then uses another. */
const CHOOSING_MS = 1000;

/** The most keys of a channel that are tried or asked for at once, because one working key is enough to go on. */
const AT_ONCE = 4;

/** Takes the single trial that all relays and nodes have of a key; false if another has it. */
export type TakeTrial = (channelId: number, keyId: number) => Promise<boolean>;

/**
 * Trials of keys whose waiting time is over. One call of one relay may try each key: the relay asks for the trial when
 * the key could be chosen, and leaves the key out until it has the answer.
 */
export class KeyTrials {
  readonly #clock: Pick<Clock, 'now' | 'monotonic'>;
  readonly #take: TakeTrial;
  /** When each key's trial was last asked for; monotonic. */
  readonly #askedAtMs = new Map<number, number>();
  /** By channel and key: until when this relay may try the key; monotonic. 0 while it waits for the answer. */
  readonly #untilMs = new Map<number, Map<number, number>>();
  /** The call that is choosing each key, so that calls choosing at the same moment do not all use it. */
  readonly #choosing = new Map<number, { readonly call: object; readonly sinceMs: number }>();

  constructor(clock: Pick<Clock, 'now' | 'monotonic'>, take: TakeTrial) {
    this.#clock = clock;
    this.#take = take;
  }

  /** Whether this relay has or has asked for any trial. */
  get hasAny(): boolean {
    return this.#untilMs.size > 0;
  }

  /** The waiting keys of a channel that a call may use, or whose trials should be asked for. */
  keysOf({ id, pool }: Pick<Channel, 'id' | 'pool'>): readonly PoolKey[] {
    const due = dueKeys(pool, this.#clock.now(), AT_ONCE);
    const ours = this.#untilMs.get(id);
    if (ours === undefined) return due;
    const keys = new Set(due);
    for (const [keyId, untilMs] of ours) {
      const key = keyById(pool, keyId);
      if (key !== undefined && isWaiting(key.state)) keys.add(key);
      // The key works again or is gone, so other keys of the channel may be tried.
      else if (untilMs > 0) this.#forget(id, keyId);
    }
    return [...keys];
  }

  /** Whether this relay has the trial of the key. Asks for nothing and reserves nothing. */
  isOurs({ id, channelId }: PoolKey): boolean {
    return this.#clock.monotonic() < (this.#untilMs.get(channelId)?.get(id) ?? 0);
  }

  /**
   * Whether the next call may use a waiting key as its trial.
   * @param call reserves the key for this call for a moment
   */
  isOpen(key: PoolKey, call?: object): boolean {
    const { id, channelId, state } = key;
    if (this.hasAny && isWaiting(state)) {
      const nowMs = this.#clock.monotonic();
      const untilMs = this.#untilMs.get(channelId)?.get(id) ?? 0;
      if (nowMs < untilMs) return this.#isFor(call, id, nowMs);
      // The trial expired unused.
      if (untilMs > 0) this.#forget(channelId, id);
    }
    if (isDue(state, this.#clock.now())) this.#ask(key);
    return false;
  }

  /** Notes that a call is sent with the key. @returns whether it is the trial; no other call is then */
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
        // Counted from the request on, because others leave the key alone from then on.
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
