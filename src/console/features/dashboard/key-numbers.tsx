import type { ReactNode } from 'react';
import type { readSelf } from '#contract/api/session.ts';
import type { Data } from '#contract/endpoint.ts';
import { QuotaText } from '../../kit/quota-text.tsx';
import { formatCount, formatExact, formatQuota, MISSING } from '../../lib/format.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { type Span, totalOf, type UsageHour } from './usage-sums.ts';

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

/** The own account, and what the span adds up to. */
export const KeyNumbers = ({ self, hours, span }: KeyNumbersProps) => {
  const { t } = useTranslation('dashboard');
  const minutes = Math.max(1, (span.to - span.from) / 60);
  const calls = hours && totalOf(hours, 'count');
  const tokens = hours && totalOf(hours, 'token_used');
  const item = (name: string, value: ReactNode, more: ReactNode) => (
    <div className="key-number">
      <dt>{name}</dt>
      <dd>{value ?? MISSING}</dd>
      <dd className="meta">{more}</dd>
    </div>
  );
  return (
    <dl className="key-numbers">
      {item(
        t('balance'),
        self && <QuotaText units={self.quota} />,
        self && t('usedAll', { quota: formatQuota(self.used_quota), count: formatCount(self.request_count) }),
      )}
      {item(t('by.quota'), hours && <QuotaText units={totalOf(hours, 'quota')} />, t('inSpan'))}
      {item(
        t('by.count'),
        calls === undefined ? undefined : <Count value={calls} />,
        calls !== undefined && t('rpm', { value: (calls / minutes).toFixed(2) }),
      )}
      {item(
        t('by.token_used'),
        tokens === undefined ? undefined : <Count value={tokens} />,
        tokens !== undefined && t('tpm', { value: formatCount(Math.round(tokens / minutes)) }),
      )}
    </dl>
  );
};
