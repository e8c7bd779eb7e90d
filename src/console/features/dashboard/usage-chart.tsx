import { ConnectLink } from '../../kit/connect-link.tsx';
import { IconDownload, IconPhotoDown } from '@tabler/icons-react';
import { IconButton } from '../../kit/button.tsx';
import { REST_COLOUR, seriesColours } from '../../kit/series-colours.ts';
import { niceTop, StackedBars } from '../../kit/stacked-bars.tsx';
import { EmptyState } from '../../kit/states.tsx';
import { toast } from '../../lib/toasts.ts';
import { messageOf } from '../../lib/api-error.ts';
import { BYTE_ORDER_MARK, csvLine } from '#contract/csv.ts';
import { downloadText, saveBlob } from '../../lib/download-text.ts';
import {
  formatCount,
  formatExact,
  formatPartsExact,
  formatQuota,
  formatQuotaExact,
  formatQuotaParts,
} from '../../lib/format.ts';
import { useTranslation } from '../../lib/i18n.ts';
import type { Split } from './splits.ts';
import {
  beginningsOf,
  largestModels,
  type Metric,
  seriesOf,
  type Span,
  type Step,
  stretchOfBar,
  timeOf,
  totalOf,
  type UsageHour,
} from './usage-sums.ts';

interface UsageChartProps {
  readonly hours: readonly UsageHour[];
  readonly span: Span;
  readonly step: Step;
  readonly metric: Metric;
  /** What the bars are split by. */
  readonly split: Split;
  /** Shows the calls of a bar, or those of one of its parts. */
  readonly onOpen: (stretch: Span, part: string | undefined) => void;
}

export const formatMetric = (metric: Metric, value: number): string =>
  metric === 'quota' ? formatQuota(value) : formatCount(value);

/** Each model's colour: that of its place by money, whatever is counted, so that it stays when the metric changes. */
export const modelColours = (
  hours: readonly UsageHour[],
  metric: Metric,
  otherName?: string,
): ReadonlyMap<string, string> =>
  seriesColours(largestModels(hours, 'quota', otherName), largestModels(hours, metric, otherName));

/** Usage per hour, day or week, split by model or by what else is chosen. */
export const UsageChart = ({ hours, span, step, metric, split, onOpen }: UsageChartProps) => {
  const { t } = useTranslation('dashboard');
  const beginnings = beginningsOf(span, step);
  const others = t('others');
  const colours = modelColours(hours, metric, others);
  const series = seriesOf(hours, metric, step, beginnings, others).map((one) => ({
    ...one,
    colour: colours.get(one.name) ?? REST_COLOUR,
  }));
  const download = (): void =>
    downloadText(
      `tollgate-${metric}.csv`,
      BYTE_ORDER_MARK +
        [
          [t('time'), ...series.map(({ name }) => name)],
          ...beginnings.map((beginning, at) => [
            new Date(beginning).toISOString(),
            ...series.map(({ values }) => values[at] ?? 0),
          ]),
        ]
          .map(csvLine)
          .join(''),
    );
  const draw = async (): Promise<void> => {
    const { drawChart } = await import('../../kit/chart-picture.ts');
    const sums = beginnings.map((_, at) => series.reduce((sum, { values }) => sum + (values[at] ?? 0), 0));
    const picture = await drawChart({
      title: t('chart', { metric: t(`by.${metric}`) }),
      total: `${t('sum')} ${exact}`,
      times: beginnings.map((beginning) => timeOf(beginning, step)),
      series,
      top: niceTop(Math.max(0, ...sums)),
      format: (value) => formatMetric(metric, value),
    });
    saveBlob(`tollgate-${metric}.png`, picture);
  };
  const total = totalOf(hours, metric);
  const exact = metric === 'quota' ? formatQuotaExact(total) : formatExact(total);
  return (
    <section className="dash-card dash-chart" aria-labelledby="dash-chart">
      <header>
        <h2 id="dash-chart">{t('chart', { metric: t(`by.${metric}`) })}</h2>
        <p className="meta number" data-total={total}>
          {t('sum')} {exact}
        </p>
        {hours.length > 0 && (
          <span className="dash-exports">
            <IconButton
              label={t('downloadPicture')}
              onClick={() => void draw().catch((error: unknown) => toast('bad', messageOf(error)))}
            >
              <IconPhotoDown size={16} />
            </IconButton>
            <IconButton label={t('download')} onClick={download}>
              <IconDownload size={16} />
            </IconButton>
          </span>
        )}
      </header>
      {hours.length === 0 ? (
        <EmptyState text={t('empty')}>
          <ConnectLink />
        </EmptyState>
      ) : (
        <StackedBars
          label={t('chartLabel', { metric: t(`by.${metric}`), split: t(`splits.${split}`), total: exact })}
          times={beginnings.map((beginning) => timeOf(beginning, step))}
          series={series}
          format={(value) => formatMetric(metric, value)}
          formatParts={metric === 'quota' ? formatQuotaParts : formatPartsExact}
          sumLabel={t('sum')}
          onOpen={(at, part) => onOpen(stretchOfBar(span, beginnings, at), part)}
          openHint={t('openLogs')}
        />
      )}
    </section>
  );
};
