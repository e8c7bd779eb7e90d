/** The number of first tokens remembered for a model. */
const MOST_SAMPLES = 256;
/** With fewer samples, the slowest ones cannot be estimated. */
const LEAST_SAMPLES = 20;
/** The 95th percentile is computed again after this many new samples. */
const STALE_AFTER = 16;
const MOST_MODELS = 2000;

interface Samples {
  readonly ms: Float64Array;
  /** The number of samples so far. */
  count: number;
  p95Ms: number;
  /** The value of `count` when `p95Ms` was computed; 0 if it never was. */
  p95Count: number;
}

/** The recent times to the first token of each model, in this process. */
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

  /** 95 of 100 first tokens arrived within this time; undefined while there are too few. */
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
