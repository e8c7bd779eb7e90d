import './topup.css';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { PageHeader } from '../../kit/page-header.tsx';
import { ErrorState, Notice, Skeleton } from '../../kit/states.tsx';
import { useTranslation } from '../../lib/text/i18n.ts';
import { useUrlState } from '../../lib/browser/url-state.ts';
import { BalanceCard } from './balance-card.tsx';
import { MovementsTable } from './movements-table.tsx';
import { OnlineCard } from './online-card.tsx';
import { RedeemCard } from './redeem-card.tsx';
import { infoQuery } from './wallet-calls.ts';

/** The wallet: the balance, and ways to top it up. */
const TopUpPage = () => {
  const { t } = useTranslation('topup');
  const [{ paid }] = useUrlState();
  const info = useQuery(infoQuery);
  return (
    <>
      <PageHeader title={t('title')} about={t('about')}>
        <Link to="/statements" className="button">
          {t('statements')}
        </Link>
      </PageHeader>
      {paid !== undefined && <Notice tone="info">{t('online.back')}</Notice>}
      <BalanceCard isWaiting={paid !== undefined} />
      <div className="wallet-cards">
        <RedeemCard link={info.data?.topup_link} />
        {info.data !== undefined ? (
          <OnlineCard info={info.data} />
        ) : (
          <section className="wallet-card">
            {info.isError ? (
              <ErrorState error={info.error} onRetry={() => void info.refetch()} />
            ) : (
              <Skeleton height={160} />
            )}
          </section>
        )}
      </div>
      <MovementsTable />
    </>
  );
};

export default TopUpPage;
