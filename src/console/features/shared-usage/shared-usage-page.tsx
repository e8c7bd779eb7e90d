import './shared-usage.css';
import { useRouterState } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { openUsageLink, type SharedUsage } from '#contract/api/people/usage-links.ts';
import { tokenStatus } from '#contract/codes.ts';
import { Button } from '../../kit/button.tsx';
import { PageHeader } from '../../kit/page-header.tsx';
import { QuotaText } from '../../kit/texts/quota-text.tsx';
import { SmallTable } from '../../kit/tables/small-table.tsx';
import { StackedBars } from '../../kit/charts/stacked-bars.tsx';
import { EmptyState, ErrorState, Skeleton } from '../../kit/states.tsx';
import { TimeText } from '../../kit/texts/time-text.tsx';
import { call } from '../../lib/server/api.ts';
import { formatExact, formatQuotaParts, formatRoundQuota } from '../../lib/text/format.ts';
import { useTranslation } from '../../lib/text/i18n.ts';
import { dayName, daysUntil } from './shown-days.ts';

const STATES = {
  [tokenStatus.enabled]: 'enabled',
  [tokenStatus.disabled]: 'disabled',
  [tokenStatus.expired]: 'expired',
  [tokenStatus.exhausted]: 'exhausted',
} as const;

interface Read {
  /** With the time when it was read. */
  readonly found?: { readonly usage: SharedUsage; readonly atMs: number } | undefined;
  /** Why reading it (again) failed. */
  readonly error?: unknown;
}

/** The page is for visitors, where the query client is not loaded. */
const useSharedUsage = (link: string) => {
  const [read, setRead] = useState<Read>({});
  const [tries, setTries] = useState(0);
  const [isBusy, setBusy] = useState(true);
  useEffect(() => {
    const gone = new AbortController();
    call(openUsageLink, { body: { link } }, gone.signal)
      .then(
        (usage) => setRead({ found: { usage, atMs: Date.now() } }),
        (error: unknown) => !gone.signal.aborted && setRead(({ found }) => ({ found, error })),
      )
      .finally(() => setBusy(false));
    return () => gone.abort();
  }, [link, tries]);
  const again = (): void => {
    setBusy(true);
    setTries(tries + 1);
  };
  return { read, isBusy, again };
};

/** The public usage page of one token. The secret is in the fragment of the address, so that no server logs it. */
const SharedUsagePage = () => {
  const { t } = useTranslation('shared-usage');
  const link = useRouterState({ select: ({ location }) => location.hash });
  return (
    <article className="shared-usage">
      <meta name="robots" content="noindex, nofollow" />
      {link === '' ? (
        <>
          <PageHeader title={t('missing')} />
          <EmptyState text={t('missingText')} />
        </>
      ) : (
        <UsageOf key={link} link={link} />
      )}
    </article>
  );
};

/** If it cannot be read again, it stays with the reason above it. */
const UsageOf = ({ link }: { readonly link: string }) => {
  const {
    read: { found, error },
    isBusy,
    again,
  } = useSharedUsage(link);
  return (
    <>
      {error !== undefined && <ErrorState error={error} onRetry={again} />}
      {error === undefined && found === undefined && <Skeleton height={320} />}
      {found !== undefined && <Usage {...found} isBusy={isBusy} onRefresh={again} />}
    </>
  );
};

interface UsageProps {
  readonly usage: SharedUsage;
  /** When it was read. */
  readonly atMs: number;
  readonly isBusy: boolean;
  readonly onRefresh: () => void;
}

const Usage = ({ usage, atMs, isBusy, onRefresh }: UsageProps) => {
  const { t } = useTranslation('shared-usage');
  const days = daysUntil(atMs, usage.days);
  const status = STATES[usage.status as keyof typeof STATES] ?? 'disabled';
  return (
    <>
      <PageHeader title={t('title', { name: usage.name })} about={t('about')}>
        <Button busy={isBusy} onClick={onRefresh}>
          {t('refresh')}
        </Button>
      </PageHeader>
      <dl className="shared-facts">
        <div>
          <dt>{t('used')}</dt>
          <dd>
            <QuotaText units={usage.used_units} />
          </dd>
        </div>
        <div>
          <dt>{t('remaining')}</dt>
          <dd>
            {usage.remaining_units === null ? t('unlimited') : <QuotaText units={usage.remaining_units} />}
          </dd>
        </div>
        <div>
          <dt>{t('today')}</dt>
          <dd>
            <QuotaText units={days.at(-1)?.units ?? 0} />
          </dd>
        </div>
        <div>
          <dt>{t('month')}</dt>
          <dd>
            <QuotaText units={days.reduce((sum, { units }) => sum + units, 0)} />
          </dd>
        </div>
      </dl>
      {usage.days.length === 0 ? <EmptyState text={t('none')} /> : <Tables usage={usage} days={days} />}
      <p className="meta">
        {t(`status.${status}`)} · {t('created')} <TimeText at={usage.created_time} exact /> · {t('expires')}{' '}
        <TimeOrNever at={usage.expired_time} /> · {t('ends')} <TimeOrNever at={usage.link_expired_time} />
      </p>
    </>
  );
};

const TimeOrNever = ({ at }: { readonly at: number | null }) => {
  const { t } = useTranslation('shared-usage');
  return at === null ? t('never') : <TimeText at={at} exact />;
};

interface TablesProps {
  readonly usage: SharedUsage;
  readonly days: SharedUsage['days'];
}

const Tables = ({ usage, days }: TablesProps) => {
  const { t } = useTranslation('shared-usage');
  const columns = (of: string) => [
    { title: of },
    { title: t('calls'), align: 'end' as const },
    { title: t('input'), align: 'end' as const },
    { title: t('output'), align: 'end' as const },
    { title: t('amount'), align: 'end' as const },
  ];
  const cells = (name: string, line: Omit<SharedUsage['days'][number], 'day'>) => [
    name,
    formatExact(line.calls),
    formatExact(line.prompt_tokens),
    formatExact(line.completion_tokens),
    <QuotaText key="units" units={line.units} />,
  ];
  return (
    <>
      <section>
        <h2>{t('perDay')}</h2>
        <StackedBars
          label={t('perDay')}
          times={days.map(({ day }, place) => ({ full: dayName(day), mark: dayName(day), place }))}
          series={[{ name: t('amount'), colour: 'var(--chart-1)', values: days.map(({ units }) => units) }]}
          format={formatRoundQuota}
          formatParts={(values) => formatQuotaParts(values)}
          sumLabel={t('sum')}
        />
      </section>
      <section>
        <h2>{t('byModel')}</h2>
        <SmallTable
          label={t('byModel')}
          columns={columns(t('model'))}
          rows={usage.models.map((line) => ({
            id: line.model,
            cells: cells(line.model || t('unknownModel'), line),
          }))}
        />
      </section>
      <section>
        <h2>{t('byDay')}</h2>
        <SmallTable
          label={t('byDay')}
          columns={columns(t('day'))}
          rows={usage.days
            .toReversed()
            .map((line) => ({ id: String(line.day), cells: cells(dayName(line.day), line) }))}
        />
      </section>
    </>
  );
};

export default SharedUsagePage;
