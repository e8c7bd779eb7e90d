import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { readSelf } from '#contract/api/people/session.ts';
import type { Data } from '#contract/endpoint.ts';
import { Spark } from '../../kit/charts/charts.tsx';
import { QuotaText } from '../../kit/texts/quota-text.tsx';
import { formatCount, formatExact, formatPercent, formatQuota, MISSING } from '../../lib/text/format.ts';
import { useTranslation } from '../../lib/text/i18n.ts';
import { piecesOf } from '../../lib/pieces-of.ts';
import { daysLeft, roundedPace } from './pace.ts';
import { changeOf, type Metric, type Span, totalOf, type UsageHour, withSign } from './usage-sums.ts';

interface KeyNumbersProps {
  readonly self: Data<typeof readSelf> | undefined;
  readonly hours: readonly UsageHour[] | undefined;
  /** The same for the previous span. */
  readonly before: readonly UsageHour[] | undefined;
  readonly span: Span;
  readonly nowS: number;
  /** Whether the hours are this user's own; only then the number of days that the balance lasts is known. */
  readonly isOwn: boolean;
}

const Count = ({ value }: { readonly value: number }) => (
  <span className="number" data-tip={formatExact(value)}>
    {formatCount(value)}
  </span>
);

interface ChangeProps {
  readonly now: number;
  readonly before: number;
  readonly metric: Metric;
}

/** From a factor of ten on, percentages are hard to read. */
const MANY = 9;

/** The change from the previous span. More is neither good nor bad, so it has no colour. */
const Change = ({ now, before, metric }: ChangeProps) => {
  const { t } = useTranslation('dashboard');
  const change = changeOf(now, before);
  if (change === undefined) return null;
  const times = formatCount(Math.round(change + 1));
  const shown = change >= MANY ? `×${times}` : withSign(change < 0, formatPercent(Math.abs(change)));
  const value = metric === 'quota' ? formatQuota(before) : formatCount(before);
  return (
    <span className="key-change number" data-tip={t('before', { value })}>
      {shown}
      <span className="hidden-visually">{t('before', { value })}</span>
    </span>
  );
};

/** Points of the small charts: enough to tell days from nights over three days. */
const PIECES = 24;

/** The user's own account and the totals of the time range. */
export const KeyNumbers = ({ self, hours, before, span, nowS, isOwn }: KeyNumbersProps) => {
  const { t } = useTranslation('dashboard');
  const minutes = Math.max(1, (span.to - span.from) / 60);
  const calls = hours && totalOf(hours, 'count');
  const tokens = hours && totalOf(hours, 'token_used');
  const days = isOwn && self && hours ? daysLeft(self.quota, totalOf(hours, 'quota'), span, nowS) : undefined;
  const pace = days === undefined ? undefined : roundedPace(days);
  const item = (name: string, value: ReactNode, more: ReactNode, metric?: Metric, colour?: string) => (
    <div className="key-number">
      <dt>{name}</dt>
      <dd className="key-value">
        {value ?? MISSING}
        {metric !== undefined && hours !== undefined && before !== undefined && (
          <Change now={totalOf(hours, metric)} before={totalOf(before, metric)} metric={metric} />
        )}
      </dd>
      <dd className="meta">{more}</dd>
      {hours !== undefined && hours.length > 0 && metric !== undefined && (
        <dd className="key-trend">
          <Spark
            label={t('trend', { metric: name })}
            values={piecesOf(
              hours.map((hour) => ({ at: hour.created_at, value: hour[metric] })),
              span,
              PIECES,
            )}
            color={colour}
          />
        </dd>
      )}
    </div>
  );
  return (
    <dl>
      {item(
        t(isOwn ? 'balance' : 'ownBalance'),
        self && <QuotaText units={self.quota} />,
        <>
          <span className="key-pace">
            <Link to="/topup" className="link">
              {t('topUp')}
            </Link>
          </span>
          {pace && <span className="key-pace">{t(`lasts.${pace.unit}`, { count: pace.count })}</span>}
          {self &&
            t('usedAll', {
              quota: formatQuota(self.used_quota),
              count: self.request_count,
              calls: formatCount(self.request_count),
            })}
        </>,
      )}
      {item(t('by.quota'), hours && <QuotaText units={totalOf(hours, 'quota')} />, t('inSpan'), 'quota')}
      {item(
        t('by.count'),
        calls === undefined ? undefined : <Count value={calls} />,
        calls !== undefined && t('rpm', { value: (calls / minutes).toFixed(2) }),
        'count',
        'var(--chart-2)',
      )}
      {item(
        t('by.token_used'),
        tokens === undefined ? undefined : <Count value={tokens} />,
        tokens !== undefined && t('tpm', { value: formatCount(Math.round(tokens / minutes)) }),
        'token_used',
        'var(--chart-3)',
      )}
    </dl>
  );
};
