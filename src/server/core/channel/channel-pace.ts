/** How much a new time counts against those before it. */
const NEWEST_SHARE = 0.2;
/** What was measured longer ago says nothing. */
const STALE_MS = 600_000;
const MOST_TIMES = 50_000;

interface Pace {
  ms: number;
  atMs: number;
}

/** How soon each channel began to answer for each model lately, and how many calls it has now; of this process alone. */
export class ChannelPace {
  readonly #channels = new Map<number, Map<string, Pace>>();
  readonly #running = new Map<number, number>();
  #times = 0;

  /** A call goes to the channel. */
  began(channelId: number): void {
    this.#running.set(channelId, this.running(channelId) + 1);
  }

  /** A call that began there is over. */
  ended(channelId: number): void {
    const left = this.running(channelId) - 1;
    if (left > 0) this.#running.set(channelId, left);
    else this.#running.delete(channelId);
  }

  /** How many calls it has. */
  running(channelId: number): number {
    return this.#running.get(channelId) ?? 0;
  }

  /** The first token of a stream came after so long, or had not come until then. */
  heard(channelId: number, model: string, ms: number, nowMs: number): void {
    let models = this.#channels.get(channelId);
    if (models === undefined) this.#channels.set(channelId, (models = new Map()));
    const known = models.get(model);
    if (known === undefined) {
      models.set(model, { ms, atMs: nowMs });
      this.#times += 1;
      if (this.#times > MOST_TIMES) this.#forgetOne();
      return;
    }
    known.ms = nowMs - known.atMs > STALE_MS ? ms : known.ms + (ms - known.ms) * NEWEST_SHARE;
    known.atMs = nowMs;
  }

  /** A moving mean of the times to the first token; undefined if none is known of late. */
  firstTokenMs(channelId: number, model: string, nowMs: number): number | undefined {
    const known = this.#channels.get(channelId)?.get(model);
    return known === undefined || nowMs - known.atMs > STALE_MS ? undefined : known.ms;
  }

  #forgetOne(): void {
    const [oldest] = this.#channels;
    if (oldest === undefined) return;
    this.#times -= oldest[1].size;
    this.#channels.delete(oldest[0]);
  }
}
