/** One figure, measured in several rounds. */
export interface Spread {
  readonly min: number;
  readonly median: number;
  readonly max: number;
}

export const spread = (values: readonly number[]): Spread => {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (index: number): number => sorted[index] ?? NaN;
  const middle = sorted.length / 2;
  const median = sorted.length % 2 === 1 ? at(Math.floor(middle)) : (at(middle - 1) + at(middle)) / 2;
  return { min: at(0), median, max: at(sorted.length - 1) };
};

/** `12.3 (11.9–13.0)`: the median, with minimum and maximum in brackets. */
export const shown = ({ min, median, max }: Spread, digits = 1): string =>
  `${number(median, digits)} (${number(min, digits)}–${number(max, digits)})`;

const number = (value: number, digits: number): string =>
  value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });
