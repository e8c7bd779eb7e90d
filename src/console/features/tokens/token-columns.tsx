import { useMemo } from 'react';
import type { Column } from '../../kit/resource-table/column.ts';
import { TimeText } from '../../kit/time-text.tsx';
import { useTranslation } from '../../lib/i18n.ts';
import { ExpiryCell, GroupCell, IpsCell, KeyCell, ModelsCell, NameCell, QuotaCell, StatusCell } from './token-cells.tsx';
import type { Token } from './token.ts';
import { useOwnGroups } from './use-own-groups.ts';

/** The columns of the list, made again only when language or groups change. */
export const useTokenColumns = (): readonly Column<Token>[] => {
  const { t } = useTranslation('tokens');
  const { groups } = useOwnGroups();
  return useMemo(
    () => [
      { id: 'name', title: t('column.name'), card: 'title', cell: (token) => <NameCell token={token} /> },
      { id: 'status', title: t('column.status'), card: 'aside', cell: (token) => <StatusCell token={token} /> },
      { id: 'key', title: t('column.key'), cell: (token) => <KeyCell token={token} /> },
      { id: 'quota', title: t('column.quota'), cell: (token) => <QuotaCell token={token} /> },
      { id: 'group', title: t('column.group'), cell: (token) => <GroupCell token={token} groups={groups} /> },
      { id: 'models', title: t('column.models'), cell: (token) => <ModelsCell token={token} /> },
      { id: 'ips', title: t('column.ips'), cell: (token) => <IpsCell token={token} /> },
      { id: 'expires', title: t('column.expires'), cell: (token) => <ExpiryCell token={token} /> },
      { id: 'created', title: t('column.created'), cell: (token) => <TimeText at={token.created_time} /> },
      {
        id: 'accessed',
        title: t('column.accessed'),
        optional: true,
        cell: (token) => <TimeText at={token.accessed_time} />,
      },
    ],
    [t, groups],
  );
};
