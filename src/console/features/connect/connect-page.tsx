import './connect.css';
import { IconPlus } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { PageHeader } from '../../kit/page-header.tsx';
import { EmptyState, ErrorState, Skeleton } from '../../kit/states.tsx';
import { useTranslation } from '../../lib/i18n.ts';
import { useUrlState } from '../../lib/url-state.ts';
import { ClientList } from './client-list.tsx';
import { ClientSheet } from './client-sheet.tsx';
import { clients } from './clients.ts';
import { type Token, useTokens } from './use-connect.ts';

/** How other programs use this site: pick one, copy, test. */
const ConnectPage = () => {
  const { t } = useTranslation('connect');
  const query = useTokens();
  return (
    <>
      <PageHeader title={t('title')} about={t('about')} />
      {query.data === undefined && query.isError && (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      )}
      {query.data === undefined && !query.isError && <Skeleton height={320} />}
      {query.data !== undefined &&
        (query.data.length === 0 ? (
          <EmptyState text={t('noToken')}>
            <Link to="/token" search={{ edit: 'new' }} className="button button-primary">
              <IconPlus size={16} />
              {t('makeToken')}
            </Link>
          </EmptyState>
        ) : (
          <Connect tokens={query.data} />
        ))}
    </>
  );
};

const Connect = ({ tokens }: { readonly tokens: readonly Token[] }) => {
  const [url, patch] = useUrlState();
  const token = tokens.find(({ id }) => String(id) === url['token']) ?? tokens[0];
  const client = clients.find(({ id }) => id === url['client']) ?? clients[0];
  if (token === undefined || client === undefined) return null;
  return (
    <div className="connect">
      <ClientList chosen={client} onChoose={(id) => patch({ client: id }, { replace: true })} />
      <ClientSheet client={client} tokens={tokens} token={token} />
    </div>
  );
};

export default ConnectPage;
