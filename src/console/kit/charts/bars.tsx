import { classNames } from '../class-names.ts';

export interface BarSeries {
  readonly name: string;
  readonly colour: string;
  /** One value for each bar. */
  readonly values: readonly number[];
}

interface BarsProps {
  readonly series: readonly BarSeries[];
  /** Of each bar. */
  readonly sums: readonly number[];
  /** The end of the axis. */
  readonly top: number;
}

const HEIGHT = 100;
/** Of more bars than these, lines between their parts would hide the parts. */
export const MOST_DIVIDED = 100;

/** Bars by the dozen, each a box of boxes. What lies between two parts is seen also by those who see no difference in their colours. */
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
                // Parts of 1: what grows by less than that in all leaves the rest of its bar empty.
                style={{ flexGrow: value / (sum || 1), background: colour }}
              />
            )
          );
        })}
      </div>
    </div>
  ));

/** What a bar leaves free at either side, as a part of its room. */
const GAP = 0.12;
const short = (place: number): number => Math.round(place * 100) / 100;

/**
 * Bars by the hundred, each colour one shape: as boxes of boxes those of a month of hours are some thousand, which to lay out
 * holds up a slow machine for a quarter of a second.
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
