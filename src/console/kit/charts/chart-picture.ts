import { type Axis, type BarTime, marked } from './chart-axis.ts';
import { type BarSeries, MOST_DIVIDED } from './bars.tsx';

export interface ChartToDraw {
  readonly title: string;
  /** Beside the title. */
  readonly total: string;
  readonly times: readonly BarTime[];
  readonly series: readonly BarSeries[];
  readonly axis: Axis;
  readonly format: (value: number) => string;
}

const WIDTH = 1200;
const MARGIN = 32;
const AXIS = 76;
const PLOT = { top: 76, height: 380 };
const LEGEND_LINE = 24;
const MOST_MARKS = 14;
/** The gap between two parts of a bar, if they are higher than it. */
const GAP = 1;
/** Sharp in print and on dense screens. */
const SCALE = 2;

/** Resolves a colour variable of the style sheet in the current theme. */
const createPalette = (): { readonly colourOf: (text: string) => string; readonly end: () => void } => {
  const probe = document.createElement('span');
  probe.hidden = true;
  document.body.append(probe);
  return {
    colourOf: (text) => {
      probe.style.color = text;
      return getComputedStyle(probe).color;
    },
    end: () => probe.remove(),
  };
};

interface Legend {
  readonly places: readonly {
    readonly name: string;
    readonly colour: string;
    readonly x: number;
    readonly y: number;
  }[];
  readonly height: number;
}

/** Lays out the legend in as many lines as needed. */
const layLegend = (pen: CanvasRenderingContext2D, series: readonly BarSeries[], top: number): Legend => {
  let [x, y] = [MARGIN, top];
  const places = series.map(({ name, colour }) => {
    const width = pen.measureText(name).width + 40;
    if (x > MARGIN && x + width > WIDTH - MARGIN) [x, y] = [MARGIN, y + LEGEND_LINE];
    const place = { name, colour, x, y };
    x += width;
    return place;
  });
  return { places, height: y - top + LEGEND_LINE };
};

const drawBars = (
  pen: CanvasRenderingContext2D,
  { times, series, axis }: ChartToDraw,
  colourOf: (text: string) => string,
): void => {
  const slot = (WIDTH - MARGIN - MARGIN - AXIS) / Math.max(1, times.length);
  const width = Math.max(1, Math.min(slot * 0.72, 64));
  const floor = times.map(() => PLOT.top + PLOT.height);
  for (const { colour, values } of series) {
    pen.fillStyle = colourOf(colour);
    for (const [at, value] of values.entries()) {
      const height = (value / axis.top) * PLOT.height;
      const below = floor[at] ?? 0;
      const gap = height > 2 * GAP && times.length <= MOST_DIVIDED ? GAP : 0;
      pen.fillRect(MARGIN + AXIS + at * slot + (slot - width) / 2, below - height + gap, width, height - gap);
      floor[at] = below - height;
    }
  }
};

const drawAxes = (
  pen: CanvasRenderingContext2D,
  { times, axis: { top, steps }, format }: ChartToDraw,
  colourOf: (text: string) => string,
): void => {
  const slot = (WIDTH - MARGIN - MARGIN - AXIS) / Math.max(1, times.length);
  for (let step = 0; step <= steps; step += 1) {
    const part = step / steps;
    const y = PLOT.top + PLOT.height * (1 - part);
    pen.fillStyle = colourOf('var(--line)');
    pen.fillRect(MARGIN + AXIS, y, WIDTH - MARGIN - MARGIN - AXIS, 1);
    pen.fillStyle = colourOf('var(--ink-3)');
    pen.textAlign = 'right';
    pen.fillText(format(top * part), MARGIN + AXIS - 12, y);
  }
  const marks = marked(times, MOST_MARKS);
  pen.textAlign = 'center';
  for (const [at, { mark }] of times.entries())
    if (marks[at]) pen.fillText(mark, MARGIN + AXIS + (at + 0.5) * slot, PLOT.top + PLOT.height + 20);
};

/** The chart as a PNG file with title and legend, in the colours of the page's theme. */
export const drawChart = (chart: ChartToDraw): Promise<Blob> => {
  const canvas = document.createElement('canvas');
  const pen = canvas.getContext('2d');
  if (pen === null) return Promise.reject(new Error('This browser draws no pictures.'));
  const { colourOf, end } = createPalette();
  const font = getComputedStyle(document.body).fontFamily;
  const small = `13px ${font}`;
  pen.font = small;
  const legend = layLegend(pen, chart.series, PLOT.top + PLOT.height + 56);
  const height = PLOT.top + PLOT.height + 56 + legend.height + MARGIN / 2;
  // Resizing a canvas resets its font.
  Object.assign(canvas, { width: WIDTH * SCALE, height: height * SCALE });
  pen.scale(SCALE, SCALE);
  pen.fillStyle = colourOf('var(--surface)');
  pen.fillRect(0, 0, WIDTH, height);
  pen.textBaseline = 'middle';
  pen.fillStyle = colourOf('var(--ink)');
  pen.font = `600 18px ${font}`;
  pen.fillText(chart.title, MARGIN, MARGIN + 4);
  pen.font = small;
  pen.fillStyle = colourOf('var(--ink-3)');
  pen.textAlign = 'right';
  pen.fillText(chart.total, WIDTH - MARGIN, MARGIN + 4);
  drawAxes(pen, chart, colourOf);
  drawBars(pen, chart, colourOf);
  pen.textAlign = 'left';
  for (const { name, colour, x, y } of legend.places) {
    pen.fillStyle = colourOf(colour);
    pen.fillRect(x, y - 5, 10, 10);
    pen.fillStyle = colourOf('var(--ink-2)');
    pen.fillText(name, x + 17, y);
  }
  end();
  return new Promise((resolve, reject) => {
    canvas.toBlob(
      (blob) => (blob === null ? reject(new Error('No picture came.')) : resolve(blob)),
      'image/png',
    );
  });
};
