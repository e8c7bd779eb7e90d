/** A bar's time: in full for its tooltip, short below the axis, and a number by which marks are spaced. */
export interface BarTime {
  readonly full: string;
  readonly mark: string;
  readonly place: number;
}

export interface Axis {
  readonly top: number;
  /** How many equal steps lead from zero to the top. */
  readonly steps: number;
}

const MOST_STEPS = 5;
const NICE = [1, 2, 2.5, 5, 10];
/** Sums of fractions are a little off. */
const DUST = 1e-9;

/**
 * The axis for bars of these heights: steps of 1, 2, 2.5 or 5 times a power of ten, as many as the highest bar needs, so that
 * little of the chart is empty. Whole numbers get whole steps.
 */
export const axisOf = (sums: readonly number[]): Axis => {
  const most = Math.max(0, ...sums);
  if (most === 0) return { top: 1, steps: 1 };
  const isWhole = sums.every(Number.isInteger);
  const least = isWhole ? Math.max(1, most / MOST_STEPS) : most / MOST_STEPS;
  const power = 10 ** Math.floor(Math.log10(least));
  const fits = (one: number): boolean =>
    one * power >= least - DUST * power && (!isWhole || Number.isInteger(one * power));
  const step = (NICE.find(fits) ?? 10) * power;
  const steps = Math.ceil(most / step - DUST);
  return { top: steps * step, steps };
};

/** Spaces between marks: for hours, those that meet midnight; for days, weeks and months. */
const SPACES = [1, 2, 3, 6, 12, 24, 48, 72, 168, 336, 720];

/** Which bars are marked if there is room for `room` marks: those whose number is a multiple of a round number. */
export const marked = (times: readonly BarTime[], room: number): readonly boolean[] => {
  const every = SPACES.find((space) => times.length / space <= room) ?? times.length;
  return times.map(({ place }) => place % every === 0);
};

/** A marked bar, or the bars between two marks. */
export interface Stretch {
  readonly from: number;
  readonly count: number;
  readonly isMarked: boolean;
}

/** All bars in order, with neighbours without a mark joined. */
export const spread = (marks: readonly boolean[]): readonly Stretch[] => {
  const stretches: Stretch[] = [];
  let from = 0;
  for (const [at, isMarked] of marks.entries()) {
    if (!isMarked) continue;
    if (at > from) stretches.push({ from, count: at - from, isMarked: false });
    stretches.push({ from: at, count: 1, isMarked });
    from = at + 1;
  }
  if (from < marks.length) stretches.push({ from, count: marks.length - from, isMarked: false });
  return stretches;
};
