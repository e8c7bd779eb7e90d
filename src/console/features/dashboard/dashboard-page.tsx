import './dashboard.css';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, Suspense } from 'react';
import { late } from '../../kit/late.tsx';
import { lateSection } from '../../kit/late-section.tsx';
import { PageHeader } from '../../kit/page-header.tsx';
import { ErrorState, Skeleton } from '../../kit/states.tsx';
import { useTranslation } from '../../lib/text/i18n.ts';
import { useProgramName } from '../../lib/text/program-name.ts';
import { useIsAdmin, useSession } from '../../lib/session/session.ts';
import { useSiteStatus } from '../../lib/server/site-status.ts';
import { useUrlState } from '../../lib/browser/url-state.ts';
import { CallNumbers } from './call-numbers.tsx';
import { ChartTools, DashTools, metrics, steps } from './dash-tools.tsx';
import { KeyNumbers } from './key-numbers.tsx';
import { rangeOf } from './last-days.ts';
import { logsOfPart, namedHours, splitsFor } from './splits.ts';
import { TopLists } from './top-lists.tsx';
import { UsageChart } from './usage-chart.tsx';
import type { Span } from './usage-sums.ts';
import { useNowS, useRefreshMs, useSplitHours, useUsage, type Whose } from './use-usage.ts';

const AttentionCard = lateSection(() => import('./attention-card.tsx'));
const CacheCard = lateSection(() => import('./cache-card.tsx'));
const MarginCard = lateSection(() => import('./margin-card.tsx'));
const Panels = late(() => import('./panels.tsx'));

/** The greeting for the time of day. */
const dayPart = (): 'morning' | 'noon' | 'afternoon' | 'evening' => {
  const hour = new Date().getHours();
  if (hour >= 5 && hour < 11) return 'morning';
  if (hour >= 11 && hour < 14) return 'noon';
  return hour >= 14 && hour < 18 ? 'afternoon' : 'evening';
};

/** The filters that show the charged calls of a stretch of time. */
const logsOf = ({ from, to }: Span, username: string) => ({
  from: String(from),
  to: String(to),
  type: '2',
  ...(username !== '' && { username }),
});

/** Recent usage by time, model and user. */
const DashboardPage = () => {
  const { t } = useTranslation('dashboard');
  const user = useSession();
  const isAdmin = useIsAdmin();
  const [url, patch] = useUrlState();
  const nowS = useNowS();
  const navigate = useNavigate();
  const firstStep = useSiteStatus()?.data_export_default_time ?? 'hour';
  const step = steps.find((one) => one === url['step']) ?? firstStep;
  const metric = metrics.find((one) => one === url['by']) ?? 'quota';
  const { span, preset } = rangeOf(url, nowS);
  const whose = { isAll: isAdmin && url['of'] !== 'me', username: url['user'] ?? '' };
  const everyMs = useRefreshMs();
  const { hours, before, top, self } = useUsage(span, whose);
  const splits = splitsFor(whose.isAll);
  const split = splits.find((one) => one === url['split']) ?? 'model';
  const others = useSplitHours(span, whose, split);
  const programName = useProgramName();
  const words = {
    rest: t('others'),
    none: t(split === 'program' ? 'unknownProgram' : 'unnamed'),
    gone: (id: number) => t('margin.gone', { id }),
    ...(split === 'program' && { named: programName }),
  };
  const shown = split === 'model' ? hours.data : others.data && namedHours(others.data, words);
  const name = user?.display_name || user?.username || '';
  // Users see only their own logs, without a field for names.
  const usernameOf = ({ isAll, username }: Whose): string =>
    isAll ? username : isAdmin ? (user?.username ?? '') : '';
  const openLogs = (stretch: Span, part: string | undefined): void =>
    void navigate({
      to: '/log',
      search: {
        ...logsOf(stretch, usernameOf(whose)),
        ...(part !== undefined && logsOfPart(split, part, others.data, words)),
      },
    });
  const chartTools = <ChartTools metric={metric} split={split} isAll={whose.isAll} patch={patch} />;
  return (
    <>
      <PageHeader
        title={t(`greeting.${dayPart()}`, { name })}
        about={preset === undefined ? t('aboutTyped') : t(`about.${preset}`)}
      >
        <DashTools span={span} preset={preset} step={step} whose={whose} isAdmin={isAdmin} patch={patch} />
      </PageHeader>
      <div className="key-numbers">
        <KeyNumbers
          self={self.data}
          hours={hours.data}
          before={before.data}
          span={span}
          nowS={nowS}
          isOwn={!whose.isAll}
        />
        <CallNumbers span={span} whose={whose} />
      </div>
      {isAdmin && whose.isAll && (
        <Suspense>
          <AttentionCard everyMs={everyMs} />
        </Suspense>
      )}
      {hours.data === undefined && hours.isError && (
        <ErrorState error={hours.error} onRetry={() => void hours.refetch()} />
      )}
      {hours.data === undefined && !hours.isError && <Skeleton height={320} />}
      {hours.data !== undefined && (
        <div className="dash-grid" aria-busy={hours.isPlaceholderData}>
          {shown === undefined ? (
            <ChartToCome error={others.error} onRetry={() => void others.refetch()}>
              {chartTools}
            </ChartToCome>
          ) : (
            <UsageChart hours={shown} span={span} step={step} metric={metric} split={split} onOpen={openLogs}>
              {chartTools}
            </UsageChart>
          )}
          <TopLists
            hours={hours.data}
            metric={metric}
            top={top.data}
            isAll={whose.isAll}
            hasColours={split === 'model'}
          />
        </div>
      )}
      <div className="dash-pair">
        <Suspense>
          <CacheCard span={span} step={step} whose={whose} />
        </Suspense>
        {whose.isAll && (
          <Suspense>
            <MarginCard span={span} step={step} username={whose.username} />
          </Suspense>
        )}
      </div>
      <Suspense>
        <Panels />
      </Suspense>
    </>
  );
};

interface ChartToComeProps {
  readonly error: unknown;
  readonly onRetry: () => void;
  readonly children: ReactNode;
}

const ChartToCome = ({ error, onRetry, children }: ChartToComeProps) => (
  <section className="dash-card dash-chart">
    {children}
    {error === null ? <Skeleton height={320} /> : <ErrorState error={error} onRetry={onRetry} />}
  </section>
);

export default DashboardPage;
