import { useMemo } from 'react';
import { Copy } from '../../kit/copy.tsx';
import { ProgressText } from '../../kit/texts/progress-text.tsx';
import type { Column } from '../../kit/resource-table/column.ts';
import { ChannelLink } from '../../shared/channel-link.tsx';
import { Chip, StatusPill } from '../../kit/status.tsx';
import { TimeLines } from '../../kit/texts/time-text.tsx';
import { formatDuration, MISSING } from '../../lib/text/format.ts';
import { useTranslation } from '../../lib/text/i18n.ts';
import {
  actionTone,
  durationOf,
  type Drawing,
  isAction,
  isStatus,
  pictureOf,
  statusTone,
} from './drawing.ts';
import { SubmitPill } from './submit-pill.tsx';

const missing = <span className="tone-muted">{MISSING}</span>;

const LongText = ({ text }: { readonly text: string }) =>
  text === '' ? (
    missing
  ) : (
    <span className="drawing-text" data-tip={text}>
      {text}
    </span>
  );

const Picture = ({ row, onShow }: { readonly row: Drawing; readonly onShow: (row: Drawing) => void }) => {
  const { t } = useTranslation('midjourney');
  if (row.image_url === '') return missing;
  return (
    <button
      type="button"
      className="drawing-thumb"
      aria-label={t('showOf', { id: row.mj_id })}
      onClick={() => onShow(row)}
    >
      <img src={pictureOf(row)} alt="" loading="lazy" width={40} height={40} />
    </button>
  );
};

const Duration = ({ row }: { readonly row: Drawing }) => {
  const duration = durationOf(row);
  if (duration === undefined) return missing;
  return <span className={`number nowrap tone-${duration.tone}`}>{formatDuration(duration.ms)}</span>;
};

/** The columns of the list; admins also see channel, user and the upstream's answer. */
export const useDrawingColumns = (
  isAdmin: boolean,
  onShow: (row: Drawing) => void,
): readonly Column<Drawing>[] => {
  const { t } = useTranslation('midjourney');
  return useMemo((): readonly Column<Drawing>[] => {
    const admins: readonly Column<Drawing>[] = [
      {
        id: 'channel',
        isDetailed: true,
        from: 720,
        title: t('column.channel'),
        card: 'hidden',
        cell: (row) => <ChannelLink id={row.channel_id} name={row.channel_name} />,
      },
      { id: 'user', title: t('column.user'), cell: (row) => row.username, optional: true },
      {
        id: 'code',
        isDetailed: true,
        title: t('column.code'),
        card: 'hidden',
        from: 1120,
        cell: (row) => <SubmitPill code={row.code} />,
      },
    ];
    return [
      {
        id: 'submitted',
        sortable: true,
        title: t('column.submitted'),
        card: 'title',
        cell: (row) => <TimeLines at={Math.floor(row.submit_time / 1000)} />,
      },
      {
        id: 'status',
        title: t('column.status'),
        card: 'aside',
        cell: (row) => (
          <StatusPill tone={statusTone(row.status)}>
            {isStatus(row.status) ? t(`status.${row.status}`) : t('status.unknown')}
          </StatusPill>
        ),
      },
      {
        id: 'action',
        title: t('column.action'),
        cell: (row) => (
          <Chip tone={actionTone(row.action)}>
            {isAction(row.action) ? t(`action.${row.action}`) : row.action || t('status.unknown')}
          </Chip>
        ),
      },
      {
        id: 'picture',
        title: t('column.picture'),
        cell: (row) => <Picture row={row} onShow={onShow} />,
      },
      { id: 'prompt', title: t('column.prompt'), cell: (row) => <LongText text={row.prompt} /> },
      {
        id: 'progress',
        from: 880,
        title: t('column.progress'),
        cell: (row) => (
          <ProgressText
            percent={row.progress}
            label={t('progressOf', { id: row.mj_id })}
            isBad={row.status === 'FAILURE'}
          />
        ),
      },
      {
        id: 'duration',
        from: 800,
        sortable: true,
        title: t('column.duration'),
        align: 'end',
        cell: (row) => <Duration row={row} />,
      },
      ...(isAdmin ? admins : []),
      {
        id: 'id',
        isDetailed: true,
        from: 1040,
        title: t('column.id'),
        card: 'hidden',
        cell: (row) => (
          <Copy value={row.mj_id} shown={`${row.mj_id.slice(0, 8)}…`} mono label={t('copyId')} />
        ),
      },
      {
        id: 'reason',
        isDetailed: true,
        title: t('column.reason'),
        card: 'hidden',
        cell: (row) => <LongText text={row.fail_reason} />,
      },
      {
        id: 'promptEn',
        title: t('column.promptEn'),
        optional: true,
        cell: (row) => <LongText text={row.prompt_en} />,
      },
      {
        id: 'finished',
        sortable: true,
        title: t('column.finished'),
        optional: true,
        cell: (row) => <TimeLines at={Math.floor(row.finish_time / 1000)} />,
      },
    ];
  }, [t, isAdmin, onShow]);
};
