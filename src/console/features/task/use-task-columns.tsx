import { useMemo } from 'react';
import { Copy } from '../../kit/copy.tsx';
import { ProgressText } from '../../kit/texts/progress-text.tsx';
import type { Column } from '../../kit/resource-table/column.ts';
import { ChannelLink } from '../../shared/channel-link.tsx';
import { Chip, StatusPill } from '../../kit/status.tsx';
import { TimeLines } from '../../kit/texts/time-text.tsx';
import { formatDuration, MISSING } from '../../lib/text/format.ts';
import { useTranslation } from '../../lib/text/i18n.ts';
import { isStatus, type MusicTask, secondsOf, statusTone } from './music-task.ts';

const missing = <span className="tone-muted">{MISSING}</span>;

/** The columns of the list; admins also see the channel. */
export const useTaskColumns = (isAdmin: boolean): readonly Column<MusicTask>[] => {
  const { t } = useTranslation('task');
  return useMemo((): readonly Column<MusicTask>[] => {
    const actionText = (action: string) =>
      action === 'MUSIC' || action === 'LYRICS' ? t(`action.${action}`) : action || t('status.UNKNOWN');
    const statusText = (status: string) =>
      isStatus(status) ? t(`status.${status}`) : t(status === '' ? 'status.submitting' : 'status.UNKNOWN');
    const channel: Column<MusicTask> = {
      id: 'channel',
      from: 720,
      title: t('column.channel'),
      cell: (row) => <ChannelLink id={row.channel_id} name={row.channel_name} />,
    };
    return [
      {
        id: 'submitted',
        sortable: true,
        title: t('column.submitted'),
        card: 'title',
        cell: (row) => <TimeLines at={row.submit_time} />,
      },
      {
        id: 'status',
        title: t('column.status'),
        card: 'aside',
        cell: (row) => <StatusPill tone={statusTone(row.status)}>{statusText(row.status)}</StatusPill>,
      },
      {
        id: 'finished',
        from: 960,
        sortable: true,
        title: t('column.finished'),
        cell: (row) => <TimeLines at={row.finish_time} />,
      },
      {
        id: 'duration',
        sortable: true,
        title: t('column.duration'),
        align: 'end',
        cell: (row) => {
          const seconds = secondsOf(row);
          return seconds === undefined ? missing : formatDuration(seconds * 1000);
        },
      },
      ...(isAdmin ? [channel] : []),
      {
        id: 'platform',
        from: 1040,
        title: t('column.platform'),
        cell: (row) => <Chip tone="info">{row.platform === 'suno' ? 'Suno' : row.platform}</Chip>,
      },
      {
        id: 'action',
        title: t('column.action'),
        cell: (row) => <Chip tone={row.action === 'LYRICS' ? 'lime' : 'ok'}>{actionText(row.action)}</Chip>,
      },
      {
        id: 'id',
        from: 880,
        title: t('column.id'),
        card: 'hidden',
        cell: (row) => (
          <Copy value={row.task_id} shown={`${row.task_id.slice(0, 8)}…`} mono label={t('copyId')} />
        ),
      },
      {
        id: 'progress',
        title: t('column.progress'),
        cell: (row) => (
          <ProgressText
            percent={row.progress}
            label={t('progressOf', { id: row.task_id })}
            isBad={row.status === 'FAILURE'}
          />
        ),
      },
      {
        id: 'reason',
        title: t('column.reason'),
        cell: (row) =>
          row.fail_reason === '' ? (
            missing
          ) : (
            <span className="cell-title cell-lines" data-tip={row.fail_reason}>
              {row.fail_reason}
            </span>
          ),
      },
      {
        id: 'user',
        title: t('column.user'),
        optional: true,
        cell: (row) => row.username,
      },
    ];
  }, [t, isAdmin]);
};
