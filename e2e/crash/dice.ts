/** A random generator, deterministic by seed (mulberry32). */
export interface Dice {
  /** At least 0, below 1. */
  unit(): number;
  /** At least `low`, at most `high`, whole. */
  between(low: number, high: number): number;
}

export const diceOf = (seed: number): Dice => {
  let state = seed >>> 0;
  const unit = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return { unit, between: (low, high) => low + Math.floor(unit() * (high - low + 1)) };
};
