import { useMemo } from 'react';
import type { Column } from '../../kit/resource-table/column.ts';
import { useTranslation } from '../../lib/text/i18n.ts';
import { useHasCards } from '../../lib/browser/media.ts';
import {
  CallsCell,
  GroupCell,
  InviteCell,
  NameCell,
  QuotaCell,
  RankCell,
  StatusCell,
} from './user-cells.tsx';
import type { User } from './user.ts';

/** The columns of the list; on phones a card. */
export const useUserColumns = (): readonly Column<User>[] => {
  const { t } = useTranslation('users');
  const hasCards = useHasCards();
  return useMemo(() => {
    const head: readonly Column<User>[] = [
      {
        id: 'name',
        sortable: true,
        title: t('column.name'),
        card: 'title',
        cell: (user) => <NameCell user={user} />,
      },
      { id: 'status', title: t('column.status'), card: 'aside', cell: (user) => <StatusCell user={user} /> },
    ];
    if (hasCards) {
      const card = (user: User) => (
        <span className="user-card">
          <QuotaCell user={user} />
          <GroupCell user={user} />
          <RankCell user={user} />
          <InviteCell user={user} />
        </span>
      );
      return [
        ...head,
        { id: 'card', title: t('column.quota'), card: 'plain', cell: card },
        { id: 'calls', title: t('column.calls'), card: 'hidden', cell: (user) => <CallsCell user={user} /> },
      ];
    }
    return [
      ...head,
      { id: 'group', sortable: true, title: t('column.group'), cell: (user) => <GroupCell user={user} /> },
      {
        id: 'role',
        from: 720,
        sortable: true,
        title: t('column.role'),
        cell: (user) => <RankCell user={user} />,
      },
      { id: 'quota', sortable: true, title: t('column.quota'), cell: (user) => <QuotaCell user={user} /> },
      {
        id: 'calls',
        from: 720,
        sortable: true,
        title: t('column.calls'),
        align: 'end',
        cell: (user) => <CallsCell user={user} />,
      },
      { id: 'invite', from: 960, title: t('column.invite'), cell: (user) => <InviteCell user={user} /> },
    ];
  }, [t, hasCards]);
};
