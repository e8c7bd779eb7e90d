import './margin-card.css';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { listOwnSessions, listSessions, readCache, readOwnCache } from '#contract/api/channels/affinity.ts';
import { Segmented } from '../../kit/segmented.tsx';
import { SmallTable } from '../../kit/tables/small-table.tsx';
import { StackedBars } from '../../kit/charts/stacked-bars.tsx';
import { ErrorState } from '../../kit/states.tsx';
import { TimeText } from '../../kit/texts/time-text.tsx';
import { call } from '../../lib/server/api.ts';
import { formatCount, formatExact, formatPercent, formatQuota, MISSING } from '../../lib/text/format.ts';
import { useTranslation } from '../../lib/text/i18n.ts';
import {
  addedCaches,
  type CacheShare,
  type CacheSums,
  hitRate,
  partsOverTime,
  spanOfSessions,
} from './cache-sums.ts';
import { barTimes, beginningsOf, finestStep, type Span, type Step } from './usage-sums.ts';
import { useRefreshMs, type Whose } from './use-usage.ts';

interface CacheCardProps {
  readonly span: Span;
  readonly step: Step;
  readonly whose: Whose;
}

type Dimension = 'channel' | 'model' | 'session';

const SHOWN = 20;
/** Enough to tell one session from another. */
const SHORT_LENGTH = 8;

const rate = (sums: CacheSums): string => {
  const part = hitRate(sums);
  return part === undefined ? MISSING : formatPercent(part);
};

/** The share of prompts read from caches, and the savings: of all users for admins, else of the user. */
const CacheCard = ({ span, step, whose }: CacheCardProps) => {
  const { t } = useTranslation('dashboard');
  const { isAll, username } = whose;
  const dimensions: readonly Dimension[] = isAll ? ['channel', 'model', 'session'] : ['model', 'session'];
  const [chosen, setBy] = useState<Dimension>('model');
  const by = dimensions.includes(chosen) ? chosen : 'model';
  const finest = finestStep(span);
  const times = useQuery({
    ...cacheQuery(finest, span, whose),
    refetchInterval: useRefreshMs(),
  });
  if (times.data === undefined)
    return times.error === null ? null : (
      <ErrorState error={times.error} onRetry={() => void times.refetch()} />
    );
  const all = addedCaches(times.data);
  if (all.prompt_tokens === 0) return null;
  const beginnings = beginningsOf(span, step);
  return (
    <section className="dash-card margin-card" aria-labelledby="dash-cache">
      <header>
        <h2 id="dash-cache">{t('cache.title')}</h2>
        <p className="meta number">
          {t('cache.sum', { rate: rate(all), saved: formatQuota(all.saved_quota) })}
        </p>
      </header>
      <StackedBars
        label={t('cache.chart')}
        times={barTimes(beginnings, step)}
        series={partsOverTime(times.data, finest, beginnings).map(({ part, values }) => ({
          name: t(`cache.part.${part}`),
          colour: { cached: 'var(--chart-2)', anew: 'var(--chart-1)' }[part],
          values,
        }))}
        format={formatCount}
        formatParts={(values) => ({
          parts: values.map(formatExact),
          sum: formatExact(values.reduce((sum, value) => sum + value, 0)),
        })}
        sumLabel={t('cache.both')}
      />
      <Segmented
        label={t('cache.dimension')}
        value={by}
        options={dimensions.map((value) => ({ value, label: t(`cache.by.${value}`) }))}
        onChange={setBy}
      />
      {by === 'session' ? (
        <Sessions span={span} isAll={isAll} username={username} />
      ) : (
        <Shares by={by} span={span} whose={whose} />
      )}
    </section>
  );
};

const cacheQuery = (by: 'channel' | 'model' | 'day' | 'hour', { from, to }: Span, whose: Whose) => ({
  queryKey: ['cache', by, whose.isAll, whose.username, from, to],
  queryFn: ({ signal }: { readonly signal: AbortSignal }) => {
    const query = { start_timestamp: from, end_timestamp: to };
    return whose.isAll
      ? call(readCache, { query: { ...query, by, username: whose.username } }, signal)
      : call(readOwnCache, { query: { ...query, by: by === 'channel' ? 'model' : by } }, signal);
  },
  placeholderData: keepPreviousData,
});

/** Pictures, sound and drawings have no prompt that a cache could hold. */
const withPrompts = (shares: readonly CacheShare[]): readonly CacheShare[] =>
  shares.filter(({ prompt_tokens: tokens }) => tokens > 0).slice(0, SHOWN);

interface SharesProps {
  readonly by: 'channel' | 'model';
  readonly span: Span;
  readonly whose: Whose;
}

const Shares = ({ by, span, whose }: SharesProps) => {
  const { t } = useTranslation('dashboard');
  const shares = useQuery(cacheQuery(by, span, whose));
  if (shares.data === undefined)
    return shares.error === null ? null : (
      <ErrorState error={shares.error} onRetry={() => void shares.refetch()} />
    );
  return (
    <SmallTable
      isStackable
      label={t('cache.title')}
      columns={[
        { title: t(`cache.by.${by}`) },
        ...(['prompt', 'cached', 'rate', 'saved'] as const).map((column) => ({
          title: t(`cache.column.${column}`),
          align: 'end' as const,
        })),
      ]}
      rows={withPrompts(shares.data).map((share) => ({
        id: `${String(share.id)} ${share.name}`,
        cells: [
          share.name || (share.id > 0 ? t('margin.gone', { id: share.id }) : t('unnamed')),
          formatCount(share.prompt_tokens),
          formatCount(share.cached_tokens),
          rate(share),
          formatQuota(share.saved_quota),
        ],
      }))}
    />
  );
};

interface SessionsProps {
  readonly span: Span;
  readonly isAll: boolean;
  readonly username: string;
}

const Sessions = ({ span, isAll, username }: SessionsProps) => {
  const { t } = useTranslation('dashboard');
  const { from, to } = spanOfSessions(span);
  const sessions = useQuery({
    queryKey: ['sessions', isAll, username, from, to],
    queryFn: ({ signal }) => {
      const query = { start_timestamp: from, end_timestamp: to };
      return isAll
        ? call(listSessions, { query: { ...query, username } }, signal)
        : call(listOwnSessions, { query }, signal);
    },
    placeholderData: keepPreviousData,
  });
  if (sessions.data === undefined)
    return sessions.error === null ? null : (
      <ErrorState error={sessions.error} onRetry={() => void sessions.refetch()} />
    );
  if (sessions.data.length === 0) return <p className="meta">{t('cache.noSessions')}</p>;
  const numbers = ['calls', 'rate', 'saved'] as const;
  return (
    <SmallTable
      isStackable
      label={t('cache.by.session')}
      columns={[
        { title: t('cache.by.session') },
        ...(isAll
          ? [{ title: t('username') }, { title: t('cache.column.channels'), align: 'end' as const }]
          : []),
        ...numbers.map((column) => ({ title: t(`cache.column.${column}`), align: 'end' as const })),
        { title: t('cache.column.used') },
      ]}
      rows={sessions.data.map((one) => ({
        id: `${one.session} ${one.model_name} ${one.username}`,
        cells: [
          <div key="session">
            <span className="mono">{one.session.slice(0, SHORT_LENGTH)}</span>
            <p className="meta">{one.model_name}</p>
          </div>,
          ...(isAll ? [one.username, formatExact(one.channels)] : []),
          formatExact(one.count),
          rate(one),
          formatQuota(one.saved_quota),
          <TimeText key="used" at={one.used_at} />,
        ],
      }))}
    />
  );
};

export default CacheCard;
