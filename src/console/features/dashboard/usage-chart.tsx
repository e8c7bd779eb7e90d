import { ConnectLink } from '../../kit/connect-link.tsx';
import { StackedBars } from '../../kit/stacked-bars.tsx';
import { EmptyState } from '../../kit/states.tsx';
import { formatCount, formatExact, formatQuota, formatQuotaExact } from '../../lib/format.ts';
import { useTranslation } from '../../lib/i18n.ts';
import {
  beginningsOf,
  type Metric,
  seriesOf,
  type Span,
  type Step,
  totalOf,
  type UsageHour,
} from './usage-sums.ts';

interface UsageChartProps {
  readonly hours: readonly UsageHour[];
  readonly span: Span;
  readonly step: Step;
  readonly metric: Metric;
}

export const formatMetric = (metric: Metric, value: number): string =>
  metric === 'quota' ? formatQuota(value) : formatCount(value);

const two = (value: number): string => String(value).padStart(2, '0');

const timeOf = (beginningMs: number, step: Step): string => {
  const date = new Date(beginningMs);
  const day = `${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return step === 'hour' ? `${day} ${two(date.getHours())}:00` : day;
};

/** Usage per hour, day or week, stacked by model. */
export const UsageChart = ({ hours, span, step, metric }: UsageChartProps) => {
  const { t } = useTranslation('dashboard');
  const beginnings = beginningsOf(span, step);
  const series = seriesOf(hours, metric, step, beginnings, t('others'));
  const total = totalOf(hours, metric);
  const exact = metric === 'quota' ? formatQuotaExact(total) : formatExact(total);
  return (
    <section className="dash-card dash-chart" aria-labelledby="dash-chart">
      <header>
        <h2 id="dash-chart">{t('chart', { metric: t(`by.${metric}`) })}</h2>
        <p className="meta number" data-total={total}>
          {t('sum')} {exact}
        </p>
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
          sumLabel={t('sum')}
        />
      )}
    </section>
  );
};
