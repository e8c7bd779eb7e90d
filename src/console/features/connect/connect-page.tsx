import './connect.css';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { listTokens } from '#contract/api/tokens.ts';
import { ownModels } from '#contract/api/session.ts';
import { tokenStatus } from '#contract/codes.ts';
import type { Data } from '#contract/endpoint.ts';
import { Copy } from '../../kit/copy.tsx';
import { PageHeader } from '../../kit/page-header.tsx';
import { EmptyState, ErrorState, Skeleton } from '../../kit/states.tsx';
import { call } from '../../lib/api.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { useSiteStatus } from '../../lib/site-status.ts';
import { useUrlState } from '../../lib/url-state.ts';
import { clients } from './clients.ts';
import { TestButton } from './test-button.tsx';
import { testCall } from './test-call.ts';

const SelectField = lazy(() =>
  import('../../kit/fields/select-field.tsx').then((file) => ({ default: file.SelectField })),
);

type Token = Data<typeof listTokens>['items'][number];

const DEFAULT_MODEL = 'gpt-4o-mini';

const useOffered = () =>
  useQuery({
    queryKey: ['connect'],
    queryFn: async ({ signal }) => {
      const [tokens, models] = await Promise.all([
        call(listTokens, { query: { p: 0, page_size: 100 } }, signal),
        call(ownModels, {}, signal),
      ]);
      return { tokens: tokens.items.filter(({ status }) => status === tokenStatus.enabled), models };
    },
  });

/** How other programs use this site: pick one, copy, test. */
const ConnectPage = () => {
  const { t } = useTranslation('connect');
  const query = useOffered();
  return (
    <>
      <PageHeader title={t('title')} about={t('about')} />
      {query.data === undefined && query.isError && (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      )}
      {query.data === undefined && !query.isError && <Skeleton height={320} />}
      {query.data !== undefined &&
        (query.data.tokens.length === 0 ? (
          <EmptyState text={t('noToken')}>
            <Link to="/token" search={{ edit: 'new' } as never} className="button button-primary">
              <IconPlus size={16} />
              {t('makeToken')}
            </Link>
          </EmptyState>
        ) : (
          <Connect tokens={query.data.tokens} models={query.data.models} />
        ))}
    </>
  );
};

const keyOf = (token: Token): string => (token.key.startsWith('sk-') ? token.key : `sk-${token.key}`);

const Connect = ({
  tokens,
  models,
}: {
  readonly tokens: readonly Token[];
  readonly models: readonly string[];
}) => {
  const { t } = useTranslation('connect');
  const [url, patch] = useUrlState();
  const address = (useSiteStatus()?.server_address || location.origin).replace(/\/+$/, '');
  const [tokenId, setTokenId] = useState(tokens[0]?.id);
  const [chosenModel, setModel] = useState<string>();
  const token = tokens.find(({ id }) => id === tokenId) ?? tokens[0];
  const client = clients.find(({ id }) => id === url['client']) ?? clients[0];
  if (token === undefined || client === undefined) return null;
  const model =
    chosenModel ?? (models.includes(DEFAULT_MODEL) ? DEFAULT_MODEL : (models[0] ?? DEFAULT_MODEL));
  const text = client.text({ address, key: keyOf(token), model });
  return (
    <div className="connect">
      <ul className="connect-clients" aria-label={t('clients')}>
        {clients.map(({ id, name }) => (
          <li key={id}>
            <button
              type="button"
              aria-pressed={id === client.id}
              className="connect-client"
              onClick={() => patch({ client: id }, { replace: true })}
            >
              {name}
            </button>
          </li>
        ))}
      </ul>
      <section className="connect-sheet" aria-label={client.name}>
        <div className="field-pair">
          <Suspense fallback={<Skeleton height={60} />}>
            <SelectField
              label={t('token')}
              value={String(token.id)}
              choices={tokens.map(({ id, name }) => ({ value: String(id), label: name || `#${id}` }))}
              onChange={(id) => setTokenId(Number(id))}
            />
            <SelectField
              label={t('model')}
              value={model}
              choices={models.map((name) => ({ value: name, label: name }))}
              onChange={setModel}
            />
          </Suspense>
        </div>
        <div className="connect-text">
          <header>
            <h2>{client.name}</h2>
            <span className="meta">{client.file ?? t(`kind.${client.kind}`)}</span>
            <span className="top-space" />
            <Copy value={text} iconOnly label={t('copy')} />
          </header>
          <pre className="mono" tabIndex={0} aria-label={client.name}>
            {text}
          </pre>
        </div>
        <p className="meta">{t(`hint.${client.kind}`)}</p>
        <TestButton
          key={`${client.id} ${token.id} ${model}`}
          made={testCall(client.format, keyOf(token), model)}
        />
      </section>
    </div>
  );
};

export default ConnectPage;
