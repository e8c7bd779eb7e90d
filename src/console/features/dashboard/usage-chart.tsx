import { ConnectLink } from '../../kit/connect-link.tsx';
import { IconDownload } from '@tabler/icons-react';
import { IconButton } from '../../kit/button.tsx';
import { REST_COLOUR, seriesColours } from '../../kit/series-colours.ts';
import { StackedBars } from '../../kit/stacked-bars.tsx';
import { EmptyState } from '../../kit/states.tsx';
import { BYTE_ORDER_MARK, csvLine } from '#contract/csv.ts';
import { downloadText } from '../../lib/download-text.ts';
import {
  formatCount,
  formatExact,
  formatPartsExact,
  formatQuota,
  formatQuotaExact,
  formatQuotaParts,
} from '../../lib/format.ts';
import { useTranslation } from '../../lib/i18n.ts';
import {
  beginningsOf,
  largestModels,
  type Metric,
  seriesOf,
  type Span,
  type Step,
  stretchOfBar,
  totalOf,
  type UsageHour,
} from './usage-sums.ts';

interface UsageChartProps {
  readonly hours: readonly UsageHour[];
  readonly span: Span;
  readonly step: Step;
  readonly metric: Metric;
  /** Shows the calls of a bar. */
  readonly onOpen: (stretch: Span) => void;
}

export const formatMetric = (metric: Metric, value: number): string =>
  metric === 'quota' ? formatQuota(value) : formatCount(value);

/** Each model's colour: that of its place by money, whatever is counted, so that it stays when the metric changes. */
export const modelColours = (hours: readonly UsageHour[], metric: Metric): ReadonlyMap<string, string> =>
  seriesColours(largestModels(hours, 'quota'), largestModels(hours, metric));

const two = (value: number): string => String(value).padStart(2, '0');

const timeOf = (beginningMs: number, step: Step): string => {
  const date = new Date(beginningMs);
  const day = `${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return step === 'hour' ? `${day} ${two(date.getHours())}:00` : day;
};

/** Usage per hour, day or week, stacked by model. */
export const UsageChart = ({ hours, span, step, metric, onOpen }: UsageChartProps) => {
  const { t } = useTranslation('dashboard');
  const beginnings = beginningsOf(span, step);
  const colours = modelColours(hours, metric);
  const series = seriesOf(hours, metric, step, beginnings, t('others')).map((one) => ({
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
          <IconButton label={t('download')} onClick={download}>
            <IconDownload size={16} />
          </IconButton>
        )}
      </header>
      {hours.length === 0 ? (
        <EmptyState text={t('empty')}>
          <ConnectLink />
        </EmptyState>
      ) : (
        <StackedBars
          label={t('chartLabel', { metric: t(`by.${metric}`), total: exact })}
          times={beginnings.map((beginning) => timeOf(beginning, step))}
          series={series}
          format={(value) => formatMetric(metric, value)}
          formatParts={metric === 'quota' ? formatQuotaParts : formatPartsExact}
          sumLabel={t('sum')}
          onOpen={(at) => onOpen(stretchOfBar(span, beginnings, at))}
          openHint={t('openLogs')}
        />
      )}
    </section>
  );
};
