import { useQuery } from '@tanstack/react-query';
import { readSightings } from '#contract/api/channels/channel-checks.ts';
import { Dialog } from '../../kit/dialogs/dialog.tsx';
import { GroupChip } from '../../kit/group-chip.tsx';
import { SmallTable } from '../../kit/tables/small-table.tsx';
import { EmptyState, ErrorState, Skeleton } from '../../kit/states.tsx';
import { call } from '../../lib/server/api.ts';
import { formatTime } from '../../lib/text/format.ts';
import { useTranslation } from '../../lib/text/i18n.ts';
import type { Channel } from './channel.ts';

interface SightingsDialogProps {
  readonly channel: Channel;
  readonly onClose: () => void;
}

/** The clients that called through a channel, by group and client program. */
const SightingsDialog = ({ channel, onClose }: SightingsDialogProps) => {
  const { t } = useTranslation('channel-more');
  const query = useQuery({
    queryKey: ['channel-sightings', channel.id],
    queryFn: ({ signal }) => call(readSightings, { params: { id: channel.id } }, signal),
    staleTime: 0,
  });
  const columns = [
    { title: t('seen.client') },
    { title: t('seen.count'), align: 'end' as const },
    { title: t('seen.first') },
    { title: t('seen.last') },
  ];
  return (
    <Dialog title={t('seen.title', { name: channel.name })} width={720} onClose={onClose}>
      {query.isError && <ErrorState error={query.error} onRetry={() => void query.refetch()} />}
      {query.isPending && <Skeleton height={120} width="100%" />}
      {query.data?.groups.length === 0 && <EmptyState text={t('seen.none')} />}
      {query.data?.groups.map((group) => (
        <section key={group.group} className="seen-group">
          <header>
            <GroupChip name={group.group} />
            <span className="meta number">
              {t('seen.between', { from: formatTime(group.first_seen), to: formatTime(group.last_seen) })}
            </span>
          </header>
          <SmallTable
            label={t('seen.clientsOf', { group: group.group })}
            columns={columns}
            rows={group.client_types.map((client) => ({
              id: client.client_type,
              cells: [
                client.client_type === 'browser' || client.client_type === 'other'
                  ? t(`seen.types.${client.client_type}`)
                  : client.client_type,
                client.count,
                <span key="first" className="number">
                  {formatTime(client.first_seen)}
                </span>,
                <span key="last" className="number">
                  {formatTime(client.last_seen)}
                </span>,
              ],
            }))}
          />
        </section>
      ))}
    </Dialog>
  );
};

export default SightingsDialog;
