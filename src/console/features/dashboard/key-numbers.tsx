import type { ReactNode } from 'react';
import type { readSelf } from '#contract/api/session.ts';
import type { Data } from '#contract/endpoint.ts';
import { Spark } from '../../kit/charts.tsx';
import { QuotaText } from '../../kit/quota-text.tsx';
import { formatCount, formatExact, formatQuota, MISSING } from '../../lib/format.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { piecesOf } from '../../lib/pieces-of.ts';
import { type Metric, type Span, totalOf, type UsageHour } from './usage-sums.ts';

interface KeyNumbersProps {
  readonly self: Data<typeof readSelf> | undefined;
  readonly hours: readonly UsageHour[] | undefined;
  readonly span: Span;
}

const Count = ({ value }: { readonly value: number }) => (
  <span className="number" data-tip={formatExact(value)}>
    {formatCount(value)}
  </span>
);

/** The points of the small charts: enough to tell days from nights over three days. */
const PIECES = 24;

/** The user's own account and the totals of the time range. */
export const KeyNumbers = ({ self, hours, span }: KeyNumbersProps) => {
  const { t } = useTranslation('dashboard');
  const minutes = Math.max(1, (span.to - span.from) / 60);
  const calls = hours && totalOf(hours, 'count');
  const tokens = hours && totalOf(hours, 'token_used');
  const item = (name: string, value: ReactNode, more: ReactNode, metric?: Metric, colour?: string) => (
    <div className="key-number">
      <dt>{name}</dt>
      <dd className="key-value">{value ?? MISSING}</dd>
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
    <dl className="key-numbers">
      {item(
        t('balance'),
        self && <QuotaText units={self.quota} />,
        self &&
          t('usedAll', {
            quota: formatQuota(self.used_quota),
            count: self.request_count,
            calls: formatCount(self.request_count),
          }),
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
