/** The most entries; beyond it the oldest are dropped. */
const ENTRIES_MAX = 50_000;

/** When each channel, each of its keys and each of their models last answered, in monotonic milliseconds. */
export class AnswerTimes {
  readonly #channels = new Map<number, Map<number, Map<string, number>>>();
  /** By channel and key: the start time of the newest call that was answered there. */
  readonly #begun = new Map<number, Map<number, number>>();
  #entries = 0;

  note(channelId: number, keyId: number, model: string, nowMs: number, startedMs: number): void {
    let keys = this.#channels.get(channelId);
    if (keys === undefined) this.#channels.set(channelId, (keys = new Map()));
    if (keyId !== 0) this.#begins(channelId, keyId, startedMs);
    this.#set(keys, 0, '', nowMs);
    this.#set(keys, 0, model, nowMs);
    if (keyId === 0) return;
    this.#set(keys, keyId, '', nowMs);
    this.#set(keys, keyId, model, nowMs);
  }

  /** When it last answered; −Infinity if that is unknown. Key 0 stands for any key, model '' for any model. */
  last(channelId: number, keyId: number, model: string): number {
    return this.#channels.get(channelId)?.get(keyId)?.get(model) ?? -Infinity;
  }

  /** Whether another key of the channel has answered since then. */
  hasOtherAnswered(channelId: number, keyId: number, sinceMs: number): boolean {
    const last = this.last(channelId, 0, '');
    return keyId !== 0 && last >= sinceMs && last > this.last(channelId, keyId, '');
  }

  /** Whether another key of the channel has answered a call that began after that time. */
  hasOtherAnsweredLaterCall(channelId: number, keyId: number, sinceMs: number): boolean {
    const begun = this.#begun.get(channelId);
    const last = begun?.get(0) ?? -Infinity;
    return keyId !== 0 && last >= sinceMs && last > (begun?.get(keyId) ?? -Infinity);
  }

  #begins(channelId: number, keyId: number, startedMs: number): void {
    let begun = this.#begun.get(channelId);
    if (begun === undefined) this.#begun.set(channelId, (begun = new Map()));
    if (startedMs > (begun.get(0) ?? -Infinity)) begun.set(0, startedMs);
    if (startedMs > (begun.get(keyId) ?? -Infinity)) begun.set(keyId, startedMs);
  }

  #set(keys: Map<number, Map<string, number>>, keyId: number, model: string, nowMs: number): void {
    let models = keys.get(keyId);
    if (models === undefined) keys.set(keyId, (models = new Map()));
    const before = models.size;
    models.set(model, nowMs);
    this.#entries += models.size - before;
    if (this.#entries > ENTRIES_MAX) this.#forgetOne();
  }

  #forgetOne(): void {
    const [oldest] = this.#channels;
    if (oldest === undefined) return;
    for (const models of oldest[1].values()) this.#entries -= models.size;
    this.#channels.delete(oldest[0]);
    this.#begun.delete(oldest[0]);
  }
}
