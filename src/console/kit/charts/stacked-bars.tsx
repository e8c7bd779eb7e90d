import './stacked-bars.css';
import { useCallback, useState } from 'react';
import { type BarSeries, Bars, ManyBars, MOST_DIVIDED } from './bars.tsx';
import { axisOf, type BarTime, marked, spread } from './chart-axis.ts';

interface StackedBarsProps {
  /** The chart's name for screen readers. */
  readonly label: string;
  /** The times of the bars, in order. */
  readonly times: readonly BarTime[];
  /** Drawn from the bottom. */
  readonly series: readonly BarSeries[];
  readonly format: (value: number) => string;
  /** Formats the parts of a bar and their sum, so that the texts add up. */
  readonly formatParts: (values: readonly number[]) => {
    readonly parts: readonly string[];
    readonly sum: string;
  };
  /** The label of the sum in the tooltip of a bar. */
  readonly sumLabel: string;
  /** Opens a bar, or the pressed part of it; without it bars cannot be pressed. */
  readonly onOpen?: (at: number, part: string | undefined) => void;
  /** The hint that a bar can be pressed. */
  readonly openHint?: string;
}

/** The width of a time below the axis, with its distance to the next. */
const MARK_PX = 58;
/** The times of this many last bars are right-aligned, because they do not fit centred. */
const END = 2;

/**
 * Sums over time, split by colour. A bar shows its numbers when it is hovered, tapped, or reached with the arrow keys. The
 * legend switches colours on and off.
 */
export const StackedBars = (props: StackedBarsProps) => {
  const { label, times, series: all, format, onOpen } = props;
  const [at, setAt] = useState<number>();
  const [off, setOff] = useState<ReadonlySet<string>>(new Set());
  const series = all.filter(({ name }) => !off.has(name));
  const sums = times.map((_, index) => series.reduce((sum, one) => sum + (one.values[index] ?? 0), 0));
  const { top, steps } = axisOf(sums);
  const [widthPx, setWidthPx] = useState(0);
  const measure = useCallback((plot: HTMLDivElement) => {
    const watch = new ResizeObserver(() => setWidthPx(plot.clientWidth));
    watch.observe(plot);
    return () => watch.disconnect();
  }, []);
  const marks = marked(times, widthPx / MARK_PX);
  const Shapes = times.length > MOST_DIVIDED ? ManyBars : Bars;
  const barAt = ({ clientX, currentTarget }: React.MouseEvent): number => {
    const { left, width } = currentTarget.getBoundingClientRect();
    const index = Math.floor(((clientX - left) / width) * times.length);
    return Math.min(times.length - 1, Math.max(0, index));
  };
  const move = (step: number): void =>
    setAt((before) =>
      Math.min(times.length - 1, Math.max(0, (before ?? (step > 0 ? -1 : times.length)) + step)),
    );
  const onKey = (event: React.KeyboardEvent): void => {
    if (event.key === 'Enter' && at !== undefined) onOpen?.(at, undefined);
    if (event.key === 'Escape') setAt(undefined);
    const step = { ArrowRight: 1, ArrowLeft: -1, End: times.length, Home: -times.length }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    move(step);
  };
  return (
    <figure className="stacked" onPointerLeave={() => setAt(undefined)}>
      <div className="stacked-axis number" aria-hidden>
        {Array.from({ length: steps + 1 }, (_, down) => (
          <span key={down}>{format((top * (steps - down)) / steps)}</span>
        ))}
      </div>
      <div className="stacked-view">
        <div
          ref={measure}
          className="stacked-plot"
          role="img"
          aria-label={label}
          tabIndex={0}
          style={{ '--steps': steps }}
          onKeyDown={onKey}
          onBlur={() => setAt(undefined)}
          onPointerMove={(event) => event.pointerType === 'mouse' && setAt(barAt(event))}
          onClick={(event) => {
            const index = barAt(event);
            // The first tap shows the numbers, the second opens the bar; a mouse has already shown them.
            const isSeen = at === index || (event.nativeEvent as PointerEvent).pointerType === 'mouse';
            if (isSeen && (sums[index] ?? 0) > 0) onOpen?.(index, partOf(event.target));
            else setAt(index);
          }}
        >
          {at !== undefined && (
            <span className="stacked-here" style={{ '--from': at / times.length, '--of': times.length }} />
          )}
          <Shapes series={series} sums={sums} top={top} opens={onOpen !== undefined} />
        </div>
        {/* Outside the picture, because screen readers do not read its content. */}
        {at !== undefined && <BarTip {...props} series={series} at={at} />}
      </div>
      <div className="stacked-times meta number" aria-hidden>
        {spread(marks).map(({ from, count, isMarked }) => (
          <span
            key={from}
            className={from >= times.length - END ? 'stacked-end' : undefined}
            style={{ flexGrow: count }}
          >
            {isMarked && <span>{times[from]?.mark}</span>}
          </span>
        ))}
      </div>
      <figcaption className="stacked-legend">
        {all.map(({ name, colour }) => (
          <button
            key={name}
            type="button"
            aria-pressed={!off.has(name)}
            onClick={() => setOff((before) => before.symmetricDifference(new Set([name])))}
          >
            <i style={{ background: colour }} />
            {name}
          </button>
        ))}
      </figcaption>
    </figure>
  );
};

const partOf = (target: EventTarget): string | undefined =>
  target instanceof HTMLElement || target instanceof SVGElement ? target.dataset['part'] : undefined;

/** The parts of one bar, the largest first. */
const BarTip = ({
  times,
  series,
  formatParts,
  sumLabel,
  openHint,
  at,
}: StackedBarsProps & { readonly at: number }) => {
  const parts = series.filter(({ values }) => (values[at] ?? 0) !== 0);
  const shown = formatParts(parts.map(({ values }) => values[at] ?? 0));
  return (
    <div
      className="stacked-tip"
      role="status"
      style={{ '--at': `${((at + 0.5) / times.length) * 100}%` }}
      data-side={at > times.length / 2 ? 'left' : 'right'}
    >
      <strong>{times[at]?.full}</strong>
      {parts.map(({ name, colour }, index) => (
        <span key={name}>
          <i style={{ background: colour }} />
          <span className="truncate">{name}</span>
          <b className="number">{shown.parts[index]}</b>
        </span>
      ))}
      <span className="stacked-sum">
        <span>{sumLabel}</span>
        <b className="number">{shown.sum}</b>
      </span>
      {openHint !== undefined && parts.length > 0 && <span className="meta">{openHint}</span>}
    </div>
  );
};
