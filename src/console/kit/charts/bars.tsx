import { classNames } from '../class-names.ts';

export interface BarSeries {
  readonly name: string;
  readonly colour: string;
  /** One value for each bar. */
  readonly values: readonly number[];
}

interface BarsProps {
  readonly series: readonly BarSeries[];
  /** The sum of each bar. */
  readonly sums: readonly number[];
  /** The end of the axis. */
  readonly top: number;
}

const HEIGHT = 100;
/** From more bars on, lines between the parts would hide the parts. */
export const MOST_DIVIDED = 100;

/** A few dozen bars, each a box of boxes. Lines between the parts show them also without colour. */
export const Bars = ({ series, sums, top, opens }: BarsProps & { readonly opens: boolean }) =>
  sums.map((sum, at) => (
    <div key={at} className={classNames('stacked-slot', opens && 'stacked-opens')}>
      <div className="stacked-bar" style={{ height: `${(sum / top) * HEIGHT}%` }}>
        {series.map(({ name, colour, values }) => {
          const value = values[at] ?? 0;
          return (
            value !== 0 && (
              <span
                key={name}
                data-part={name}
                // As flex factors of 1 in total: factors that add up to less than 1 would leave the rest of the bar empty.
                style={{ flexGrow: value / (sum || 1), background: colour }}
              />
            )
          );
        })}
      </div>
    </div>
  ));

/** The gap at either side of a bar, as a part of its width. */
const GAP = 0.12;
const short = (place: number): number => Math.round(place * 100) / 100;

/**
 * Hundreds of bars, each colour one SVG path. As boxes, a month of hours would be some thousand elements, whose layout takes a
 * slow machine a quarter of a second.
 */
export const ManyBars = ({ series, sums, top, opens }: BarsProps & { readonly opens: boolean }) => {
  const ends = sums.map(() => HEIGHT);
  const shapes = series.map(({ name, colour, values }) => {
    let path = '';
    for (const [at, value] of values.entries()) {
      const from = ends[at] ?? 0;
      const to = from - (value / top) * HEIGHT;
      ends[at] = to;
      if (value !== 0)
        path += `M${short(at + GAP)} ${short(from)}V${short(to)}H${short(at + 1 - GAP)}V${short(from)}z`;
    }
    return { name, colour, path };
  });
  return (
    <svg
      className={classNames('stacked-many', opens && 'stacked-opens')}
      viewBox={`0 0 ${sums.length} ${HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden
    >
      {shapes.map(({ name, colour, path }) => (
        <path key={name} data-part={name} fill={colour} d={path} />
      ))}
    </svg>
  );
};
