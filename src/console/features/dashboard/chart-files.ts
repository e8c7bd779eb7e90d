import { BYTE_ORDER_MARK, csvLine } from '#contract/csv.ts';
import { axisOf, type BarTime } from '../../kit/charts/chart-axis.ts';
import { drawChart } from '../../kit/charts/chart-picture.ts';
import type { BarSeries } from '../../kit/charts/bars.tsx';
import { downloadText, saveBlob } from '../../lib/browser/download-text.ts';

interface ChartFile {
  /** Without the extension. */
  readonly name: string;
  readonly series: readonly BarSeries[];
}

interface PictureFile extends ChartFile {
  readonly title: string;
  readonly total: string;
  readonly times: readonly BarTime[];
  readonly format: (value: number) => string;
}

/** Saves the chart as a picture. */
export const savePicture = async ({ name, series, ...chart }: PictureFile): Promise<void> => {
  const sums = chart.times.map((_, at) => series.reduce((sum, { values }) => sum + (values[at] ?? 0), 0));
  saveBlob(`${name}.png`, await drawChart({ ...chart, series, axis: axisOf(sums) }));
};

interface NumbersFile extends ChartFile {
  /** The heading of the column with the times. */
  readonly timeTitle: string;
  readonly beginningsMs: readonly number[];
}

/** Saves the numbers of the chart, one line per bar. */
export const saveNumbers = ({ name, series, timeTitle, beginningsMs }: NumbersFile): void => {
  const lines = [
    [timeTitle, ...series.map((one) => one.name)],
    ...beginningsMs.map((beginning, at) => [
      new Date(beginning).toISOString(),
      ...series.map(({ values }) => values[at] ?? 0),
    ]),
  ];
  downloadText(`${name}.csv`, BYTE_ORDER_MARK + lines.map(csvLine).join(''));
};
