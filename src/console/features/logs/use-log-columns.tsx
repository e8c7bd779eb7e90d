import { useMemo } from 'react';
import { GroupChip } from '../../kit/group-chip.tsx';
import type { Column } from '../../kit/resource-table/column.ts';
import { TimeLines } from '../../kit/texts/time-text.tsx';
import { formatExact, formatQuota } from '../../lib/text/format.ts';
import { useTranslation } from '../../lib/text/i18n.ts';
import {
  ChannelCell,
  CostCell,
  DetailCell,
  InputCell,
  missing,
  ModelCell,
  OwnerCell,
  TimesCell,
  TypeCell,
} from './log-cells.tsx';
import type { LogEntry } from './log-query.ts';

/** The columns, made once per language. `onUser` shows the account behind a row. */
export const useLogColumns = (
  isAdmin: boolean,
  onUser: (entry: LogEntry) => void,
): readonly Column<LogEntry>[] => {
  const { t } = useTranslation('logs');
  return useMemo((): readonly Column<LogEntry>[] => {
    const channel: Column<LogEntry> = {
      id: 'channel',
      from: 720,
      title: t('column.channel'),
      cell: (entry) => <ChannelCell entry={entry} />,
    };
    return [
      {
        id: 'time',
        sortable: true,
        title: t('column.time'),
        width: 96,
        card: 'aside',
        cell: (entry) => <TimeLines at={entry.created_at} />,
      },
      ...(isAdmin ? [channel] : []),
      {
        id: 'token',
        title: t(isAdmin ? 'column.owner' : 'column.token'),
        cell: (entry) => <OwnerCell entry={entry} onUser={isAdmin ? onUser : undefined} />,
      },
      {
        id: 'group',
        from: 1040,
        title: t('column.group'),
        cell: (entry) => (entry.group === '' ? missing : <GroupChip name={entry.group} />),
      },
      { id: 'type', from: 800, title: t('column.type'), cell: (entry) => <TypeCell entry={entry} /> },
      { id: 'model', title: t('column.model'), card: 'title', cell: (entry) => <ModelCell entry={entry} /> },
      {
        id: 'times',
        sortable: true,
        title: t('column.times'),
        cell: (entry) => <TimesCell entry={entry} />,
      },
      {
        id: 'prompt',
        sortable: true,
        from: 880,
        isDetailed: true,
        title: t('column.prompt'),
        align: 'end',
        cell: (entry) => <InputCell entry={entry} />,
      },
      {
        id: 'completion',
        sortable: true,
        from: 960,
        isDetailed: true,
        title: t('column.completion'),
        align: 'end',
        cell: (entry) => (entry.completion_tokens === 0 ? missing : formatExact(entry.completion_tokens)),
      },
      {
        id: 'cost',
        sortable: true,
        title: t('column.cost'),
        align: 'end',
        amount: (entry) => formatQuota(entry.quota),
        cell: (entry) => <CostCell entry={entry} />,
      },
      {
        id: 'details',
        title: t('column.details'),
        card: 'plain',
        from: 1120,
        isDetailed: true,
        cell: (entry) => <DetailCell entry={entry} />,
      },
    ];
  }, [t, isAdmin, onUser]);
};
