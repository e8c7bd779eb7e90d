import './statements.css';
import { useQuery } from '@tanstack/react-query';
import { IconShare } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { late } from '../../kit/late.tsx';
import { Button } from '../../kit/button.tsx';
import { PageHeader } from '../../kit/page-header.tsx';
import { QuotaText } from '../../kit/texts/quota-text.tsx';
import { SmallTable } from '../../kit/tables/small-table.tsx';
import { ErrorState, Skeleton } from '../../kit/states.tsx';
import { formatTime, MISSING } from '../../lib/text/format.ts';
import { type Translate, useTranslation, withTexts } from '../../lib/text/i18n.ts';
import { type UrlState, useUrlState } from '../../lib/browser/url-state.ts';
import { monthsQuery, type Owner, ownerOf, statementQuery } from './statement-calls.ts';
import { StatementView } from './statement-view.tsx';
import { SumsSection } from './sums-section.tsx';

const UsageLinksDialog = late(withTexts('shared-usage', () => import('../../shared/usage-links-dialog.tsx')));

const isWhole = ({ tokenId, tag }: Owner): boolean => tokenId === 0 && tag === '';

/** The finished months, each a link to its statement. */
const Months = ({ owner, state }: { readonly owner: Owner; readonly state: UrlState }) => {
  const { t } = useTranslation('statements');
  const months = useQuery(monthsQuery(owner));
  if (months.isError) return <ErrorState error={months.error} onRetry={() => void months.refetch()} />;
  if (months.data === undefined) return <Skeleton height={160} />;
  if (months.data.length === 0) return <p className="tone-muted">{t('empty')}</p>;
  const amount = (units: number | null) => (units === null ? MISSING : <QuotaText units={units} />);
  return (
    <SmallTable
      label={t('title')}
      columns={[
        { title: t('month') },
        { title: t('usedShort'), align: 'end' },
        ...(isWhole(owner) ? [{ title: t('closing'), align: 'end' as const }] : []),
        { title: t('issued') },
      ]}
      rows={months.data.map(({ month, charged_units, closing_units, issued_at }) => ({
        id: month,
        cells: [
          <Link key="month" to="." search={{ ...state, month }} className="link number nowrap">
            {month}
          </Link>,
          amount(charged_units),
          ...(isWhole(owner) ? [amount(closing_units)] : []),
          issued_at === null ? t('notYet') : formatTime(issued_at),
        ],
      }))}
    />
  );
};

const OneMonth = ({ owner, state }: { readonly owner: Owner; readonly state: UrlState }) => {
  const { t } = useTranslation('statements');
  const { month = '', ...rest } = state;
  const statement = useQuery(statementQuery(owner, month));
  const back = (
    <Link to="." search={rest} className="button">
      {t('all')}
    </Link>
  );
  if (statement.data !== undefined)
    return <StatementView issued={statement.data} owner={owner} back={back} />;
  return (
    <>
      <PageHeader title={t('of', { month })}>{back}</PageHeader>
      {statement.isError ? (
        <ErrorState error={statement.error} onRetry={() => void statement.refetch()} />
      ) : (
        <Skeleton height={240} />
      )}
    </>
  );
};

const titleOf = ({ userId, tokenId, tag }: Owner, t: Translate<'statements'>): string => {
  if (tokenId !== 0) return t('ofToken', { id: tokenId });
  if (tag !== '') return t('ofTag', { tag });
  return userId === 0 ? t('title') : t('ofUser', { id: userId });
};

/**
 * Monthly statements of the reader; with `?user=` those of another account, with `?token=` those of one token, with `?tag=`
 * those of a tag.
 */
const StatementsPage = () => {
  const { t } = useTranslation('statements');
  const [state] = useUrlState();
  const [isSharing, setSharing] = useState(false);
  const owner = ownerOf(state);
  if (state.month !== undefined) return <OneMonth owner={owner} state={state} />;
  const { token: _, tag: __, ...account } = state;
  const title = titleOf(owner, t);
  return (
    <div className="statement statement-list">
      <PageHeader title={title} about={t('explained')}>
        {!isWhole(owner) && (
          <Link to="." search={account} className="button">
            {t('account')}
          </Link>
        )}
        {owner.tokenId !== 0 && (
          <Button icon={<IconShare size={16} />} onClick={() => setSharing(true)}>
            {t('links')}
          </Button>
        )}
        {owner.userId === 0 && (
          <Link to="/topup" className="button">
            {t('wallet')}
          </Link>
        )}
      </PageHeader>
      {isWhole(owner) && <SumsSection owner={owner} state={state} />}
      <section>
        <h2>{t('finished')}</h2>
        <Months owner={owner} state={state} />
      </section>
      {isSharing && (
        <Suspense>
          <UsageLinksDialog
            tokenId={owner.tokenId}
            name={`#${owner.tokenId}`}
            userId={owner.userId}
            onClose={() => setSharing(false)}
          />
        </Suspense>
      )}
    </div>
  );
};

export default StatementsPage;
