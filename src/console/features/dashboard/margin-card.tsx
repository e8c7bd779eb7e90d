import './margin-card.css';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { readMargin } from '#contract/api/logs/data.ts';
import { QUOTA_PER_UNIT } from '#contract/limits.ts';
import { Segmented } from '../../kit/segmented.tsx';
import { SmallTable } from '../../kit/tables/small-table.tsx';
import { StackedBars } from '../../kit/charts/stacked-bars.tsx';
import { Chip } from '../../kit/status.tsx';
import { ErrorState } from '../../kit/states.tsx';
import { call } from '../../lib/server/api.ts';
import { formatMargin } from '../../lib/text/format-margin.ts';
import {
  formatExact,
  formatMoney,
  formatMoneyParts,
  formatRoundMoney,
  formatPercent,
  MISSING,
} from '../../lib/text/format.ts';
import { useTranslation } from '../../lib/text/i18n.ts';
import { useSiteStatus } from '../../lib/server/site-status.ts';
import { addedUp, type Margin, marginOf, seriesOverTime } from './margins.ts';
import { barTimes, beginningsOf, finestStep, type Span, type Step } from './usage-sums.ts';
import { useRefreshMs } from './use-usage.ts';

interface MarginCardProps {
  readonly span: Span;
  readonly step: Step;
  /** One user of all; empty for each. */
  readonly username: string;
}

const dimensions = ['channel', 'model', 'group', 'user', 'token'] as const;
type Dimension = (typeof dimensions)[number];

const SHOWN = 20;

/** Charges, costs and margin; for admins. */
const MarginCard = ({ span, step, username }: MarginCardProps) => {
  const { t } = useTranslation('dashboard');
  const refetchInterval = useRefreshMs();
  const [by, setBy] = useState<Dimension>('channel');
  const unitsPerDollar = useSiteStatus()?.quota_per_unit ?? QUOTA_PER_UNIT;
  const marginQuery = (dimension: Dimension | 'hour' | 'day') => ({
    queryKey: ['margin', dimension, username, span.from, span.to],
    queryFn: ({ signal }: { readonly signal: AbortSignal }) =>
      call(
        readMargin,
        { query: { by: dimension, username, start_timestamp: span.from, end_timestamp: span.to } },
        signal,
      ),
    placeholderData: keepPreviousData,
    refetchInterval,
  });
  const finest = finestStep(span);
  const times = useQuery(marginQuery(finest));
  const shares = useQuery(marginQuery(by));
  if (times.data === undefined || shares.data === undefined) {
    const failed = [times, shares].filter(({ isError }) => isError);
    const again = (): void => failed.forEach((query) => void query.refetch());
    const [first] = failed;
    return first === undefined ? null : <ErrorState error={first.error} onRetry={again} />;
  }
  const beginnings = beginningsOf(span, step);
  const all = addedUp(times.data.map((share) => marginOf(share, unitsPerDollar)));
  const isKnown = isCosted(all);
  return (
    <section className="dash-card margin-card" aria-labelledby="dash-margin">
      <header>
        <h2 id="dash-margin">{t('margin.title')}</h2>
        <p className="meta number">
          {t('margin.sum', {
            ...wordsOf(all),
            part: isKnown ? percentOf(all) : MISSING,
          })}
        </p>
      </header>
      {all.unknownCalls > 0 && (
        <p className="meta">
          {t('margin.unknown', {
            count: all.unknownCalls,
            calls: formatExact(all.unknownCalls),
            revenue: formatMoney(all.unknownRevenue),
          })}
        </p>
      )}
      {isKnown && (
        <StackedBars
          label={t('margin.chart')}
          times={barTimes(beginnings, step)}
          series={seriesOverTime(times.data, finest, beginnings, unitsPerDollar).map(({ part, values }) => ({
            name: t(`margin.part.${part}`),
            colour: { cost: 'var(--chart-3)', margin: 'var(--chart-2)', loss: 'var(--bad)' }[part],
            values,
          }))}
          format={formatRoundMoney}
          formatParts={formatMoneyParts}
          sumLabel={t('margin.both')}
        />
      )}
      <Segmented
        label={t('margin.dimension')}
        value={by}
        options={dimensions.map((value) => ({ value, label: t(`margin.by.${value}`) }))}
        onChange={setBy}
      />
      <SmallTable
        isStackable
        label={t('margin.title')}
        columns={[
          { title: t(`margin.by.${by}`) },
          ...(['revenue', 'cost', 'margin', 'part'] as const).map((column) => ({
            title: t(`margin.column.${column}`),
            align: 'end' as const,
          })),
        ]}
        rows={shares.data.slice(0, SHOWN).map((share) => {
          const margin = marginOf(share, unitsPerDollar);
          const name = share.name || (share.id > 0 ? t('margin.gone', { id: share.id }) : t('unnamed'));
          return {
            id: `${String(share.id)} ${share.name}`,
            cells: [
              <div key="name">
                {name} {margin.margin < 0 && <Chip tone="bad">{t('margin.below')}</Chip>}
                {margin.unknownCalls > 0 && (
                  <p className="meta">{`${t('margin.column.unknownCalls')} ${formatExact(margin.unknownCalls)}`}</p>
                )}
              </div>,
              ...cellsOf(margin),
            ],
          };
        })}
      />
    </section>
  );
};

const percentOf = ({ margin, revenue, unknownRevenue }: Margin): string => {
  const known = revenue - unknownRevenue;
  if (known === 0) return MISSING;
  const part = margin / known;
  return part < 0 ? `−${formatPercent(-part)}` : formatPercent(part);
};

const isCosted = ({ calls, unknownCalls }: Margin): boolean => calls > unknownCalls;

const wordsOf = (share: Margin): ReturnType<typeof formatMargin> =>
  isCosted(share)
    ? formatMargin(share.cost, share.margin, share.unknownRevenue)
    : { revenue: formatMoney(share.revenue), cost: MISSING, margin: MISSING };

const cellsOf = (share: Margin) => {
  const isKnown = isCosted(share);
  const { revenue, cost, margin } = wordsOf(share);
  return [
    revenue,
    cost,
    isKnown ? (
      <span key="margin" className={share.margin < 0 ? 'tone-bad' : undefined}>
        {margin}
      </span>
    ) : (
      MISSING
    ),
    isKnown ? percentOf(share) : MISSING,
  ];
};

export default MarginCard;
