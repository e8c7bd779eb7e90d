import './dashboard.css';
import { useState } from 'react';
import { PageHeader } from '../../kit/page-header.tsx';
import { Segmented } from '../../kit/segmented.tsx';
import { ErrorState, Skeleton } from '../../kit/states.tsx';
import { useTranslation } from '../../lib/i18n.ts';
import { useIsAdmin, useSession } from '../../lib/session.ts';
import { useSiteStatus } from '../../lib/site-status.ts';
import { useUrlState } from '../../lib/url-state.ts';
import { KeyNumbers } from './key-numbers.tsx';
import { lastDays } from './last-days.ts';
import { RangeFields } from './range-fields.tsx';
import { TopLists } from './top-lists.tsx';
import { UsageChart } from './usage-chart.tsx';
import type { Metric, Step } from './usage-sums.ts';
import { useUsage } from './use-usage.ts';

const steps: readonly Step[] = ['hour', 'day', 'week'];
const metrics: readonly Metric[] = ['quota', 'count', 'token_used'];

/** The greeting for the time of day. */
const dayPart = (): 'morning' | 'noon' | 'afternoon' | 'evening' => {
  const hour = new Date().getHours();
  if (hour >= 5 && hour < 11) return 'morning';
  if (hour >= 11 && hour < 14) return 'noon';
  return hour >= 14 && hour < 18 ? 'afternoon' : 'evening';
};

/** Recent usage by time, model and user. */
const DashboardPage = () => {
  const { t } = useTranslation('dashboard');
  const user = useSession();
  const isAdmin = useIsAdmin();
  const [url, patch] = useUrlState();
  const [recent] = useState(() => lastDays(Math.floor(Date.now() / 1000)));
  const firstStep = useSiteStatus()?.data_export_default_time ?? 'hour';
  const step = steps.find((one) => one === url['step']) ?? firstStep;
  const metric = metrics.find((one) => one === url['by']) ?? 'quota';
  const span = { from: Number(url['from'] ?? recent.from), to: Number(url['to'] ?? recent.to) };
  const whose = { isAll: isAdmin && url['of'] !== 'me', username: url['user'] ?? '' };
  const { hours, top, self } = useUsage(span, whose);
  const name = user?.display_name || user?.username || '';
  return (
    <>
      <PageHeader title={t(`greeting.${dayPart()}`, { name })} about={t('about')}>
        {isAdmin && (
          <Segmented
            label={t('whose')}
            value={whose.isAll ? 'all' : 'me'}
            options={[
              { value: 'all', label: t('everybody') },
              { value: 'me', label: t('me') },
            ]}
            onChange={(next) => patch({ of: next === 'me' ? 'me' : undefined, user: undefined })}
          />
        )}
      </PageHeader>
      <KeyNumbers self={self.data} hours={hours.data} span={span} />
      <div className="dash-tools">
        <Segmented
          label={t('metric')}
          value={metric}
          options={metrics.map((value) => ({ value, label: t(`by.${value}`) }))}
          onChange={(next) => patch({ by: next })}
        />
        <Segmented
          label={t('step')}
          value={step}
          options={steps.map((value) => ({ value, label: t(`steps.${value}`) }))}
          onChange={(next) => patch({ step: next })}
        />
        <RangeFields span={span} recent={recent} patch={patch} />
        {whose.isAll && (
          <input
            type="search"
            className="input dash-user"
            aria-label={t('username')}
            placeholder={t('username')}
            defaultValue={whose.username}
            key={whose.username}
            onBlur={(event) => patch({ user: event.target.value.trim() })}
            onKeyDown={(event) => event.key === 'Enter' && event.currentTarget.blur()}
          />
        )}
      </div>
      {hours.data === undefined && hours.isError && (
        <ErrorState error={hours.error} onRetry={() => void hours.refetch()} />
      )}
      {hours.data === undefined && !hours.isError && <Skeleton height={320} />}
      {hours.data !== undefined && (
        <div className="dash-grid" aria-busy={hours.isFetching}>
          <UsageChart hours={hours.data} span={span} step={step} metric={metric} />
          <TopLists hours={hours.data} metric={metric} top={top.data} isAll={whose.isAll} />
        </div>
      )}
    </>
  );
};

export default DashboardPage;
