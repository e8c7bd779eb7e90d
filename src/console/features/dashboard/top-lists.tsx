import type { listTopUsers } from '#contract/api/logs/data.ts';
import type { Data } from '#contract/endpoint.ts';
import { BarList } from '../../kit/charts/charts.tsx';
import { formatCount, formatQuotaColumn, MISSING } from '../../lib/text/format.ts';
import { useTranslation } from '../../lib/text/i18n.ts';
import { REST_COLOUR } from '../../kit/charts/series-colours.ts';
import { modelColours } from './usage-chart.tsx';
import { byModel, type Metric, type UsageHour } from './usage-sums.ts';

interface TopListsProps {
  readonly hours: readonly UsageHour[];
  readonly metric: Metric;
  readonly top: Data<typeof listTopUsers> | undefined;
  readonly isAll: boolean;
  /** Whether the chart shows models too: then both use the same colour for a model. */
  readonly hasColours: boolean;
}

const SHOWN = 6;

const formatAligned = (metric: Metric, values: readonly number[]): readonly string[] =>
  metric === 'quota' ? formatQuotaColumn(values) : values.map(formatCount);

interface Item {
  readonly name: string;
  readonly id?: number;
  readonly value: number;
  readonly colour?: string;
}

/**
 * The models with the highest usage, in the chart's colours, and the users or own tokens with the highest usage.
 */
export const TopLists = ({ hours, metric, top, isAll, hasColours }: TopListsProps) => {
  const { t } = useTranslation('dashboard');
  const colours = modelColours(hours, metric);
  const models = byModel(hours, metric).map((model) => ({
    ...model,
    ...(hasColours && { colour: colours.get(model.name) ?? REST_COLOUR }),
  }));
  const who = (top ?? [])
    .map((share) => ({
      // Calls without a token have a name only.
      ...(share.id > 0 && { id: share.id }),
      name: share.name || t('unnamed'),
      value: share[metric],
    }))
    .toSorted((left, right) => right.value - left.value);
  const list = (title: string, all: readonly Item[], isKnown = true) => {
    const items = all.slice(0, SHOWN);
    const shown = formatAligned(
      metric,
      items.map(({ value }) => value),
    );
    return (
      <section className="dash-card">
        <h2>{title}</h2>
        {items.length === 0 ? (
          <p className="meta">{isKnown ? t('empty') : MISSING}</p>
        ) : (
          <BarList label={title} bars={items.map((item, at) => ({ ...item, shown: shown[at] ?? '' }))} />
        )}
      </section>
    );
  };
  return (
    <div className="dash-lists">
      {list(t('topModels'), models)}
      {list(isAll ? t('topUsers') : t('topTokens'), who, top !== undefined)}
    </div>
  );
};
