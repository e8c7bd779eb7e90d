import './stacked-bars.css';
import { useState } from 'react';
import { useIsPhone } from '../lib/media.ts';
import { classNames } from './class-names.ts';

export interface BarSeries {
  readonly name: string;
  /** One value for each of `times`. */
  readonly values: readonly number[];
}

interface StackedBarsProps {
  /** What is shown, for screen readers. */
  readonly label: string;
  /** What stands under the bars, in order. */
  readonly times: readonly string[];
  /** Drawn from the bottom; the sixth and later share the quiet last colour. */
  readonly series: readonly BarSeries[];
  readonly format: (value: number) => string;
  /** Words above the sum in the box of a bar. */
  readonly sumLabel: string;
}

const HEIGHT = 100;
/** So many words fit below, and so many on a phone. */
const MAX_TICKS = 8;
const MAX_PHONE_TICKS = 3;

export const seriesColour = (at: number): string => `var(--chart-${Math.min(at, 5) + 1})`;

/** The next number of the kind 1, 2, 2.5 or 5 times a power of ten: what an axis ends at. */
export const niceTop = (value: number): number => {
  if (value <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  const step = [1, 2, 2.5, 5, 10].find((one) => one * power >= value) ?? 10;
  return step * power;
};

/** Sums over time, split by colour. A bar tells its numbers when it is pointed at, or reached with the arrow keys. */
export const StackedBars = ({ label, times, series, format, sumLabel }: StackedBarsProps) => {
  const [at, setAt] = useState<number>();
  const sums = times.map((_, index) => series.reduce((sum, one) => sum + (one.values[index] ?? 0), 0));
  const top = niceTop(Math.max(0, ...sums));
  const every = Math.ceil(times.length / (useIsPhone() ? MAX_PHONE_TICKS : MAX_TICKS));
  const move = (step: number): void =>
    setAt((before) =>
      Math.min(times.length - 1, Math.max(0, (before ?? (step > 0 ? -1 : times.length)) + step)),
    );
  return (
    <figure className="stacked" onPointerLeave={() => setAt(undefined)}>
      <div className="stacked-axis number" aria-hidden>
        {[1, 0.5, 0].map((part) => (
          <span key={part}>{format(top * part)}</span>
        ))}
      </div>
      <div
        className="stacked-plot"
        role="img"
        aria-label={label}
        tabIndex={0}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowRight' && event.key !== 'ArrowLeft') return;
          event.preventDefault();
          move(event.key === 'ArrowRight' ? 1 : -1);
        }}
        onBlur={() => setAt(undefined)}
      >
        {times.map((time, index) => (
          <div
            key={`${time} ${index}`}
            className={classNames('stacked-slot', at === index && 'stacked-here')}
            onPointerEnter={() => setAt(index)}
          >
            <div className="stacked-bar" style={{ height: `${((sums[index] ?? 0) / top) * HEIGHT}%` }}>
              {series.map((one, color) => (
                <span
                  key={one.name}
                  style={{ flexGrow: one.values[index] ?? 0, background: seriesColour(color) }}
                />
              ))}
            </div>
          </div>
        ))}
        {at !== undefined && (
          <div
            className="stacked-tip"
            role="status"
            style={{ '--at': `${((at + 0.5) / times.length) * 100}%` }}
            data-side={at > times.length / 2 ? 'left' : 'right'}
          >
            <strong>{times[at]}</strong>
            {series.map((one, color) =>
              (one.values[at] ?? 0) === 0 ? null : (
                <span key={one.name}>
                  <i style={{ background: seriesColour(color) }} />
                  <span className="truncate">{one.name}</span>
                  <b className="number">{format(one.values[at] ?? 0)}</b>
                </span>
              ),
            )}
            <span className="stacked-sum">
              <span>{sumLabel}</span>
              <b className="number">{format(sums[at] ?? 0)}</b>
            </span>
          </div>
        )}
      </div>
      <div className="stacked-times meta number" aria-hidden>
        {times.map((time, index) => (
          <span key={`${time} ${index}`}>{index % every === 0 ? time : ''}</span>
        ))}
      </div>
      <figcaption className="stacked-legend">
        {series.map((one, color) => (
          <span key={one.name}>
            <i style={{ background: seriesColour(color) }} />
            {one.name}
          </span>
        ))}
      </figcaption>
    </figure>
  );
};
