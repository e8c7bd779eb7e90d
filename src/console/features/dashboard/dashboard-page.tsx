import './dashboard.css';
import { useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { PageHeader } from '../../kit/page-header.tsx';
import { Segmented } from '../../kit/segmented.tsx';
import { ErrorState, Skeleton } from '../../kit/states.tsx';
import { useTranslation } from '../../lib/i18n.ts';
import { useIsAdmin, useSession } from '../../lib/session.ts';
import { useSiteStatus } from '../../lib/site-status.ts';
import { useUrlState } from '../../lib/url-state.ts';
import { KeyNumbers } from './key-numbers.tsx';
import { rangeOf } from './last-days.ts';
import { RangeFields } from './range-fields.tsx';
import { TopLists } from './top-lists.tsx';
import { UsageChart } from './usage-chart.tsx';
import type { Metric, Span, Step } from './usage-sums.ts';
import { useRefreshMs, useUsage, type Whose } from './use-usage.ts';

const AttentionCard = lazy(() => import('./attention-card.tsx'));
const CacheCard = lazy(() => import('./cache-card.tsx'));
const MarginCard = lazy(() => import('./margin-card.tsx'));
const Panels = lazy(() => import('./panels.tsx'));

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
  const [openedS] = useState(() => Math.floor(Date.now() / 1000));
  const navigate = useNavigate();
  const firstStep = useSiteStatus()?.data_export_default_time ?? 'hour';
  const step = steps.find((one) => one === url['step']) ?? firstStep;
  const metric = metrics.find((one) => one === url['by']) ?? 'quota';
  const { span, preset } = rangeOf(url, openedS);
  const whose = { isAll: isAdmin && url['of'] !== 'me', username: url['user'] ?? '' };
  const everyMs = useRefreshMs();
  const { hours, before, top, self } = useUsage(span, whose);
  const name = user?.display_name || user?.username || '';
  // Users see only their own logs, without a field for names.
  const usernameOf = ({ isAll, username }: Whose): string =>
    isAll ? username : isAdmin ? (user?.username ?? '') : '';
  const openLogs = (stretch: Span): void =>
    void navigate({
      to: '/log',
      search: {
        from: String(stretch.from),
        to: String(stretch.to),
        type: '2',
        ...(usernameOf(whose) === '' ? {} : { username: usernameOf(whose) }),
      },
    });
  return (
    <>
      <PageHeader
        title={t(`greeting.${dayPart()}`, { name })}
        about={preset === undefined ? t('aboutTyped') : t(`about.${preset}`)}
      >
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
      <KeyNumbers self={self.data} hours={hours.data} before={before.data} span={span} />
      {isAdmin && whose.isAll && (
        <Suspense>
          <AttentionCard everyMs={everyMs} />
        </Suspense>
      )}
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
        <RangeFields span={span} preset={preset} patch={patch} />
      </div>
      {hours.data === undefined && hours.isError && (
        <ErrorState error={hours.error} onRetry={() => void hours.refetch()} />
      )}
      {hours.data === undefined && !hours.isError && <Skeleton height={320} />}
      {hours.data !== undefined && (
        <div className="dash-grid" aria-busy={hours.isFetching}>
          <UsageChart hours={hours.data} span={span} step={step} metric={metric} onOpen={openLogs} />
          <TopLists hours={hours.data} metric={metric} top={top.data} isAll={whose.isAll} />
        </div>
      )}
      <Suspense>
        <CacheCard span={span} step={step} whose={whose} />
      </Suspense>
      {whose.isAll && (
        <Suspense>
          <MarginCard span={span} step={step} username={whose.username} />
        </Suspense>
      )}
      <Suspense>
        <Panels />
      </Suspense>
    </>
  );
};

export default DashboardPage;
