import './tokens.css';
import { IconCopy } from '@tabler/icons-react';
import { Suspense, useMemo, useState } from 'react';
import { late } from '../../kit/late.tsx';
import { lateSection } from '../../kit/late-section.tsx';
import { AddButton } from '../../kit/add-button.tsx';
import { Button } from '../../kit/button.tsx';
import { PageHeader } from '../../kit/page-header.tsx';
import type { Filter } from '../../kit/resource-table/filter.ts';
import { ResourceTable } from '../../kit/resource-table/resource-table.tsx';
import { Notice } from '../../kit/states.tsx';
import { useTranslation, withTexts } from '../../lib/text/i18n.ts';
import { CLOSING, useDrawerUrl, useUrlState } from '../../lib/browser/url-state.ts';
import { loadTokens } from './token-calls.ts';
import { useTokenColumns } from './token-columns.tsx';
import { keyStart, stateOf, TOKENS, type Token } from './token.ts';
import { useTokenBatch } from './use-token-batch.tsx';
import { useTokenMenu } from './use-token-menu.tsx';

const TokenDetail = lateSection(() => import('./token-detail.tsx'));
const loadDrawer = () => import('./token-drawer.tsx');
const TokenDrawer = late(loadDrawer);
const CreatedDialog = late(() => import('./created-dialog.tsx'));
const UsageLinksDialog = late(withTexts('shared-usage', () => import('../../shared/usage-links-dialog.tsx')));
const UseDialog = late(() => import('./use-dialog.tsx'));

const idOf = (token: Token): number => token.id;
const nameOf = (token: Token): string => token.name;
const isMuted = (token: Token): boolean => stateOf(token) !== 'enabled';
const expand = (token: Token) => (
  <Suspense>
    <TokenDetail token={token} />
  </Suspense>
);

/** The user's own keys for the API. */
const TokensPage = () => {
  const { t } = useTranslation('tokens');
  const columns = useTokenColumns();
  const drawer = useDrawerUrl();
  const [url, patch] = useUrlState();
  const [made, setMade] = useState<readonly Token[]>([]);
  const [used, setUsed] = useState<Token>();
  const [shared, setShared] = useState<Token>();
  const batch = useTokenBatch();
  const menu = useTokenMenu({ onUse: setUsed, onShare: setShared });
  const filters = useMemo<readonly Filter[]>(
    () => [{ id: 'key', kind: 'text', label: t('searchKey'), keep: keyStart }],
    [t],
  );

  const add = <AddButton label={t('add')} prepare={loadDrawer} onAdd={() => drawer.open('new')} />;
  return (
    <>
      <PageHeader title={t('title')} about={t('about')}>
        {add}
      </PageHeader>
      <div className="token-warning">
        <Notice tone="warn">{t('warning')}</Notice>
      </div>
      <ResourceTable
        name={TOKENS}
        label={t('title')}
        columns={columns}
        filters={filters}
        rowId={idOf}
        rowName={nameOf}
        load={loadTokens}
        searchLabel={t('search')}
        tools={(chosen) => (
          <Button icon={<IconCopy size={16} />} onClick={() => void batch.copy(chosen)}>
            {t('batch.copySelected')}
          </Button>
        )}
        batch={batch.buttons}
        onEdit={(token) => drawer.open(token.id)}
        prepareEdit={loadDrawer}
        rowMenu={menu}
        expand={expand}
        isMuted={isMuted}
        emptyText={t('empty')}
        emptyAction={add}
      />
      {batch.view}
      <Suspense>
        {drawer.id !== undefined && (
          <TokenDrawer
            key={drawer.id}
            id={drawer.id}
            firstName={url['name'] ?? ''}
            onClose={() => patch({ edit: undefined, name: undefined }, CLOSING)}
            onCreated={setMade}
          />
        )}
        {made.length > 0 && <CreatedDialog tokens={made} onClose={() => setMade([])} />}
        {used !== undefined && <UseDialog token={used} onClose={() => setUsed(undefined)} />}
        {shared !== undefined && (
          <UsageLinksDialog tokenId={shared.id} name={shared.name} onClose={() => setShared(undefined)} />
        )}
      </Suspense>
    </>
  );
};

export default TokensPage;
