import { IconDownload, IconPhotoDown } from '@tabler/icons-react';
import { type ReactNode, Suspense } from 'react';
import { late } from '../../kit/late.tsx';
import { IconButton } from '../../kit/button.tsx';
import { REST_COLOUR, seriesColours } from '../../kit/charts/series-colours.ts';
import { StackedBars } from '../../kit/charts/stacked-bars.tsx';
import { EmptyState } from '../../kit/states.tsx';
import { toast } from '../../lib/toasts.ts';
import { messageOf } from '../../lib/server/api-error.ts';
import {
  formatCount,
  formatExact,
  formatPartsExact,
  formatRoundQuota,
  formatQuotaExact,
  formatQuotaParts,
} from '../../lib/text/format.ts';
import { useTranslation } from '../../lib/text/i18n.ts';
import type { Split } from './splits.ts';
import {
  barTimes,
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

/** Only for who has made no call yet. */
const ConnectLink = late(() => import('../../shared/connect-link.tsx'));

interface UsageChartProps {
  readonly hours: readonly UsageHour[];
  readonly span: Span;
  readonly step: Step;
  readonly metric: Metric;
  /** The split of the bars. */
  readonly split: Split;
  /** Shows the calls of a bar, or those of one of its parts. */
  readonly onOpen: (stretch: Span, part: string | undefined) => void;
  /** The controls above the chart. */
  readonly children: ReactNode;
}

const formatMetric = (metric: Metric, value: number): string =>
  metric === 'quota' ? formatRoundQuota(value) : formatCount(value);

/** A model's colour follows its rank by cost whatever the metric, so that it stays when the metric changes. */
export const modelColours = (
  hours: readonly UsageHour[],
  metric: Metric,
  otherName?: string,
): ReadonlyMap<string, string> =>
  seriesColours(largestModels(hours, 'quota', otherName), largestModels(hours, metric, otherName));

/** Usage per hour, day or week, split by model or another dimension. */
export const UsageChart = ({ hours, span, step, metric, split, onOpen, children }: UsageChartProps) => {
  const { t } = useTranslation('dashboard');
  const beginnings = beginningsOf(span, step);
  const others = t('others');
  const colours = modelColours(hours, metric, others);
  const series = seriesOf(hours, metric, beginnings, others).map((one) => ({
    ...one,
    colour: colours.get(one.name) ?? REST_COLOUR,
  }));
  const times = barTimes(beginnings, step);
  const title = t('chart', { metric: t(`by.${metric}`) });
  /** The code that writes files is loaded with the first of them. */
  const save = async (kind: 'picture' | 'numbers'): Promise<void> => {
    const { saveNumbers, savePicture } = await import('./chart-files.ts');
    const file = { name: `tollgate-${metric}`, series };
    if (kind === 'numbers') saveNumbers({ ...file, timeTitle: t('time'), beginningsMs: beginnings });
    else
      await savePicture({
        ...file,
        title,
        total: `${t('sum')} ${exact}`,
        times,
        format: (value) => formatMetric(metric, value),
      });
  };
  const saveOrSay = (kind: 'picture' | 'numbers'): void =>
    void save(kind).catch((error: unknown) => toast('bad', messageOf(error)));
  const total = totalOf(hours, metric);
  const exact = metric === 'quota' ? formatQuotaExact(total) : formatExact(total);
  return (
    <section className="dash-card dash-chart" aria-labelledby="dash-chart">
      <header>
        <h2 id="dash-chart">{title}</h2>
        <p className="meta number" data-total={total}>
          {t('sum')} {exact}
        </p>
        {hours.length > 0 && (
          <span className="dash-exports">
            <IconButton label={t('downloadPicture')} onClick={() => saveOrSay('picture')}>
              <IconPhotoDown size={16} />
            </IconButton>
            <IconButton label={t('download')} onClick={() => saveOrSay('numbers')}>
              <IconDownload size={16} />
            </IconButton>
          </span>
        )}
      </header>
      {children}
      {hours.length === 0 ? (
        <EmptyState text={t('empty')}>
          <Suspense>
            <ConnectLink />
          </Suspense>
        </EmptyState>
      ) : (
        <StackedBars
          label={t('chartLabel', { metric: t(`by.${metric}`), split: t(`splits.${split}`), total: exact })}
          times={times}
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
