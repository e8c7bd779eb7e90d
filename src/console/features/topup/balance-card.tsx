import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { QuotaText } from '../../kit/texts/quota-text.tsx';
import { ErrorState, Skeleton } from '../../kit/states.tsx';
import { formatExact } from '../../lib/text/format.ts';
import { useTranslation } from '../../lib/text/i18n.ts';
import { queryClient } from '../../lib/server/query.ts';
import { balanceQuery, MOVEMENTS } from './wallet-calls.ts';
import { WeekUse } from './week-use.tsx';

/** How often the balance is reloaded while a payment is expected. */
const AGAIN_MS = 3000;
const TRIES = 20;

/** The user's balance and usage. */
export const BalanceCard = ({ isWaiting }: { readonly isWaiting: boolean }) => {
  const { t } = useTranslation('topup');
  const query = useQuery({
    ...balanceQuery,
    refetchInterval: ({ state }) => (isWaiting && state.dataUpdateCount < TRIES ? AGAIN_MS : false),
  });
  const left = query.data?.quota;
  useEffect(() => {
    // The payment has arrived, so the history has a new row.
    if (isWaiting && left !== undefined) void queryClient.invalidateQueries({ queryKey: [MOVEMENTS] });
  }, [isWaiting, left]);
  if (query.isError && query.data === undefined)
    return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  const self = query.data;
  return (
    <dl className="wallet-numbers">
      <div>
        <dt>{t('balance.left')}</dt>
        <dd className="wallet-balance">
          {self === undefined ? <Skeleton width={150} height={34} /> : <QuotaText units={self.quota} />}
        </dd>
        <WeekUse />
      </div>
      <div>
        <dt>{t('balance.used')}</dt>
        <dd>{self === undefined ? <Skeleton width={80} /> : <QuotaText units={self.used_quota} />}</dd>
      </div>
      <div>
        <dt>{t('balance.calls')}</dt>
        <dd className="number">
          {self === undefined ? <Skeleton width={60} /> : formatExact(self.request_count)}
        </dd>
      </div>
    </dl>
  );
};
