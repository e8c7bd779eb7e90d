import { useMemo } from 'react';
import type { Column } from '../../kit/resource-table/column.ts';
import { TimeText } from '../../kit/texts/time-text.tsx';
import { useTranslation } from '../../lib/text/i18n.ts';
import { useHasCards } from '../../lib/browser/media.ts';
import {
  ExpiryCell,
  GroupCell,
  KeyCell,
  LimitsCell,
  NameCell,
  QuotaCell,
  StatusCell,
} from './token-cells.tsx';
import { type Token, wasUsed } from './token.ts';
import { useOwnGroups } from './use-own-groups.ts';

/** The columns of the list, made again only when language or groups change; on phones three lines of a card. */
export const useTokenColumns = (): readonly Column<Token>[] => {
  const { t } = useTranslation('tokens');
  const { groups } = useOwnGroups();
  const hasCards = useHasCards();
  return useMemo(() => {
    const cell = {
      name: (token: Token) => <NameCell token={token} />,
      status: (token: Token) => <StatusCell token={token} />,
      key: (token: Token) => <KeyCell token={token} />,
      quota: (token: Token) => <QuotaCell token={token} />,
      group: (token: Token) => <GroupCell token={token} groups={groups} />,
      limits: (token: Token) => <LimitsCell token={token} />,
      expires: (token: Token) => <ExpiryCell token={token} />,
      created: (token: Token) => <TimeText at={token.created_time} />,
      accessed: (token: Token) =>
        wasUsed(token) ? (
          <TimeText at={token.accessed_time} />
        ) : (
          <span className="tone-muted">{t('detail.never')}</span>
        ),
    };
    const head: readonly Column<Token>[] = [
      { id: 'name', sortable: true, title: t('column.name'), card: 'title', cell: cell.name },
      { id: 'status', title: t('column.status'), card: 'aside', cell: cell.status },
    ];
    if (hasCards) {
      const card = (token: Token) => (
        <span className="token-card">
          {cell.quota(token)}
          {cell.group(token)}
          {cell.key(token)}
          <ExpiryCell token={token} isAlone />
        </span>
      );
      return [...head, { id: 'card', title: t('column.quota'), card: 'plain', cell: card }];
    }
    return [
      ...head,
      { id: 'key', title: t('column.key'), cell: cell.key },
      { id: 'quota', sortable: true, title: t('column.quota'), cell: cell.quota },
      { id: 'group', from: 800, title: t('column.group'), cell: cell.group },
      { id: 'limits', from: 960, isDetailed: true, title: t('column.limits'), cell: cell.limits },
      {
        id: 'expires',
        from: 720,
        isDetailed: true,
        sortable: true,
        title: t('column.expires'),
        cell: cell.expires,
      },
      { id: 'created', sortable: true, title: t('column.created'), optional: true, cell: cell.created },
      { id: 'accessed', sortable: true, title: t('column.accessed'), optional: true, cell: cell.accessed },
    ];
  }, [t, groups, hasCards]);
};
