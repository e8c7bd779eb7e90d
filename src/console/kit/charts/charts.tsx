import './charts.css';
/** Small pictures of numbers, drawn as SVG or boxes; `label` states the numbers for screen readers. */

interface SparkProps {
  readonly label: string;
  readonly values: readonly number[];
  readonly color?: string | undefined;
  readonly width?: number;
  readonly height?: number;
}

/** A line without axes. */
export const Spark = ({ label, values, color = 'var(--chart-1)', width = 84, height = 28 }: SparkProps) => {
  const top = Math.max(...values, 1);
  const step = values.length > 1 ? width / (values.length - 1) : 0;
  const points = values
    .map((value, at) => `${(at * step).toFixed(1)},${(height - 2 - (value / top) * (height - 4)).toFixed(1)}`)
    .join(' ');
  return (
    <svg className="spark" width={width} height={height} role="img" aria-label={label}>
      <polygon points={`0,${height} ${points} ${width},${height}`} fill={color} opacity={0.14} />
      <polyline points={points} fill="none" stroke={color} strokeWidth={1.5} strokeLinejoin="round" />
    </svg>
  );
};

interface BarListProps {
  readonly label: string;
  readonly bars: readonly {
    readonly name: string;
    /** Needed if names are not unique. */
    readonly id?: number;
    readonly value: number;
    readonly shown: string;
    /** The same colour as elsewhere on the page. */
    readonly colour?: string;
  }[];
}

/** Names, each with a bar; the largest value fills it. */
export const BarList = ({ label, bars }: BarListProps) => {
  const top = Math.max(...bars.map((bar) => bar.value), 1);
  return (
    <ul className="bars" aria-label={label}>
      {bars.map((bar) => (
        <li key={bar.id ?? bar.name}>
          <span className="truncate">{bar.name}</span>
          <span className="number">{bar.shown}</span>
          <span
            className="bar"
            style={{ '--part': `${(bar.value / top) * 100}%`, '--bar': bar.colour ?? 'var(--ink-3)' }}
          />
        </li>
      ))}
    </ul>
  );
};

/** A thin bar for a part of a whole, 0 to 1. */
export const Share = ({ part, label }: { readonly part: number; readonly label: string }) => (
  <span
    className="share"
    role="img"
    aria-label={label}
    data-tip={label}
    style={{ '--part': `${Math.min(1, Math.max(0, part)) * 100}%` }}
  />
);
