/** The least weight of a new measurement in the moving mean. */
const NEWEST_SHARE = 0.2;
/** In this time earlier measurements lose half of their weight, so that a channel that few calls try is not judged by old ones. */
const HALF_MS = 5000;
/** Measurements older than this are ignored. */
const STALE_MS = 600_000;
const MOST_TIMES = 50_000;

interface Pace {
  ms: number;
  atMs: number;
}

/**
 * The recent time to first token of each channel and model, and the number of calls each channel has now, in this
 * process.
 */
export class ChannelPace {
  readonly #channels = new Map<number, Map<string, Pace>>();
  readonly #running = new Map<number, number>();
  #times = 0;

  /** Counts a call that was sent to the channel. */
  began(channelId: number): void {
    this.#running.set(channelId, this.running(channelId) + 1);
  }

  /** Counts the end of such a call. */
  ended(channelId: number): void {
    const left = this.running(channelId) - 1;
    if (left > 0) this.#running.set(channelId, left);
    else this.#running.delete(channelId);
  }

  /** The number of calls the channel has now. */
  running(channelId: number): number {
    return this.#running.get(channelId) ?? 0;
  }

  /** Records that the first token of a stream took so long, or had not arrived after that time. */
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
    known.ms += (ms - known.ms) * Math.max(NEWEST_SHARE, 1 - 2 ** ((known.atMs - nowMs) / HALF_MS));
    known.atMs = nowMs;
  }

  /** The moving mean of the times to the first token; undefined without a recent measurement. */
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
