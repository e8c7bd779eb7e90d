/** The first tokens of a model that are remembered. */
const MOST_SAMPLES = 256;
/** Fewer tell nothing about the slowest of them. */
const LEAST_SAMPLES = 20;
/** The 95th percentile is sorted out again after so many more. */
const STALE_AFTER = 16;
const MOST_MODELS = 2000;

interface Samples {
  readonly ms: Float64Array;
  /** How many there have been. */
  count: number;
  p95Ms: number;
  /** `count` when `p95Ms` was computed; 0 for never. */
  p95Count: number;
}

/** How long models took to their first token lately, in this process. */
export class FirstTokenTimes {
  readonly #byModel = new Map<string, Samples>();

  add(model: string, ms: number): void {
    let samples = this.#byModel.get(model);
    if (samples === undefined) {
      if (this.#byModel.size >= MOST_MODELS) return;
      samples = { ms: new Float64Array(MOST_SAMPLES), count: 0, p95Ms: 0, p95Count: 0 };
      this.#byModel.set(model, samples);
    }
    samples.ms[samples.count % MOST_SAMPLES] = ms;
    samples.count += 1;
  }

  /** 95 of 100 first tokens came within this time; undefined while there are too few. */
  p95Ms(model: string): number | undefined {
    const samples = this.#byModel.get(model);
    if (samples === undefined || samples.count < LEAST_SAMPLES) return undefined;
    if (samples.p95Count === 0 || samples.count - samples.p95Count >= STALE_AFTER) {
      const known = samples.ms.slice(0, Math.min(samples.count, MOST_SAMPLES)).toSorted();
      samples.p95Ms = known[Math.ceil(known.length * 0.95) - 1] ?? 0;
      samples.p95Count = samples.count;
    }
    return samples.p95Ms;
  }
}
