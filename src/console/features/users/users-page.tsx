import './users.css';
import { useQuery } from '@tanstack/react-query';
import { Suspense, useMemo, useState } from 'react';
import { listGroups } from '#contract/api/site/names.ts';
import { late } from '../../kit/late.tsx';
import { AddButton } from '../../kit/add-button.tsx';
import { PageHeader } from '../../kit/page-header.tsx';
import type { Filter } from '../../kit/resource-table/filter.ts';
import { ResourceTable } from '../../kit/resource-table/resource-table.tsx';
import { call } from '../../lib/server/api.ts';
import { useTranslation } from '../../lib/text/i18n.ts';
import { useDrawerUrl } from '../../lib/browser/url-state.ts';
import { useUserBatch } from './use-user-batch.tsx';
import { useUserMenu } from './use-user-menu.tsx';
import { loadUsers } from './user-calls.ts';
import { useUserColumns } from './user-columns.tsx';
import { stateOf, USERS, type User } from './user.ts';

const loadDrawer = () => import('./user-drawer.tsx');
const UserDrawer = late(loadDrawer);
const QuotaDialog = late(() => import('./quota-dialog.tsx'));

const idOf = (user: User): number => user.id;
const nameOf = (user: User): string => user.username;
const isMuted = (user: User): boolean => stateOf(user) !== 'enabled';

/** The list of accounts. */
const UsersPage = () => {
  const { t } = useTranslation('users');
  const columns = useUserColumns();
  const drawer = useDrawerUrl();
  const [given, setGiven] = useState<User>();
  const menu = useUserMenu(setGiven);
  const batch = useUserBatch();
  const groups = useQuery({
    queryKey: ['group-names'],
    queryFn: () => call(listGroups),
    staleTime: 60_000,
    meta: { isAside: true },
  });
  const filters = useMemo<readonly Filter[]>(
    () => [
      {
        id: 'group',
        kind: 'select',
        label: t('filter.group'),
        choices: (groups.data ?? []).map((name) => ({ value: name, label: name })),
      },
    ],
    [t, groups.data],
  );
  const add = <AddButton label={t('add')} prepare={loadDrawer} onAdd={() => drawer.open('new')} />;
  return (
    <>
      <PageHeader title={t('title')} about={t('about')}>
        {add}
      </PageHeader>
      <ResourceTable
        name={USERS}
        label={t('title')}
        columns={columns}
        filters={filters}
        rowId={idOf}
        rowName={nameOf}
        load={loadUsers}
        searchLabel={t('search')}
        onEdit={(user) => drawer.open(user.id)}
        prepareEdit={loadDrawer}
        rowMenu={menu}
        batch={batch.buttons}
        isMuted={isMuted}
        emptyText={t('empty')}
        emptyAction={add}
      />
      {batch.view}
      <Suspense>
        {drawer.id !== undefined && <UserDrawer key={drawer.id} id={drawer.id} onClose={drawer.close} />}
        {given !== undefined && <QuotaDialog user={given} onClose={() => setGiven(undefined)} />}
      </Suspense>
    </>
  );
};

export default UsersPage;
