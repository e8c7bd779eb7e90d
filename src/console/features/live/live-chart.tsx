import { memo } from 'react';

interface LiveChartProps {
  /** The chart's description. */
  readonly label: string;
  readonly calls: readonly number[];
  readonly errors: readonly number[];
  readonly firstTokens: readonly (number | null)[];
}

const WIDTH = 240;
const HEIGHT = 44;

/**
 * Five minutes of a channel: a bar for the calls of each five seconds, their errors at its foot, first tokens as a
 * line.
 */
export const LiveChart = memo(({ label, calls, errors, firstTokens }: LiveChartProps) => {
  const step = WIDTH / calls.length;
  const most = Math.max(1, ...calls, ...errors);
  const slowest = Math.max(1, ...firstTokens.map((ms) => ms ?? 0));
  const bars = (values: readonly number[]): string =>
    values
      .map((value, at) => {
        const height = (value / most) * HEIGHT;
        return value === 0
          ? ''
          : `M${(at * step).toFixed(1)} ${HEIGHT}v${(-height).toFixed(1)}h${(step - 1).toFixed(1)}V${HEIGHT}z`;
      })
      .join('');
  return (
    <svg
      className="live-chart"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      <path className="live-calls" d={bars(calls)} />
      <path className="live-errors" d={bars(errors)} />
      <path className="live-firsts" d={lineOf(firstTokens, step, slowest)} />
    </svg>
  );
});

/** A line through the buckets with a value; an isolated one is a short stroke. */
const lineOf = (values: readonly (number | null)[], step: number, slowest: number): string => {
  let path = '';
  let isDrawing = false;
  for (const [at, value] of values.entries()) {
    if (value !== null) {
      const y = (HEIGHT - 2 - (value / slowest) * (HEIGHT - 6)).toFixed(1);
      const x = at * step;
      path += isDrawing
        ? `L${(x + step / 2).toFixed(1)} ${y}`
        : `M${x.toFixed(1)} ${y}h${(step / 2).toFixed(1)}`;
    }
    isDrawing = value !== null;
  }
  return path;
};
