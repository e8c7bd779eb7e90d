import './connect.css';
import { IconPlus } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { PageHeader } from '../../kit/page-header.tsx';
import { EmptyState, ErrorState, Skeleton } from '../../kit/states.tsx';
import { useTranslation } from '../../lib/text/i18n.ts';
import { useUrlState } from '../../lib/browser/url-state.ts';
import { isUsable } from '../../shared/usable-token.ts';
import { ClientList } from './client-list.tsx';
import { ClientSheet } from './client-sheet.tsx';
import type { Client } from './client.ts';
import { clients } from './clients.ts';
import { type Token, useTokens } from './use-connect.ts';

/** How other programs use this site: pick one, copy, test. */
const ConnectPage = () => {
  const { t } = useTranslation('connect');
  const [url] = useUrlState();
  const query = useTokens(url['token']);
  const client = clients.find(({ id }) => id === url['client']) ?? clients[0];
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
            <Link to="/token" search={{ edit: 'new', name: client?.name }} className="button button-primary">
              <IconPlus size={16} />
              {t('makeToken')}
            </Link>
          </EmptyState>
        ) : (
          client !== undefined && <Connect tokens={query.data} client={client} />
        ))}
    </>
  );
};

const Connect = ({ tokens, client }: { readonly tokens: readonly Token[]; readonly client: Client }) => {
  const [url, patch] = useUrlState();
  const token = tokens.find(({ id }) => String(id) === url['token']) ?? tokens.find(isUsable) ?? tokens[0];
  if (token === undefined) return null;
  return (
    <div className="connect">
      <ClientList chosen={client} onChoose={(id) => patch({ client: id }, { replace: true })} />
      <ClientSheet client={client} tokens={tokens} token={token} />
    </div>
  );
};

export default ConnectPage;
