import './live.css';
import { IconActivity } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { readLive } from '#contract/api/channels/channel-live.ts';
import ConnectLink from '../../shared/connect-link.tsx';
import { PageHeader } from '../../kit/page-header.tsx';
import { EmptyState, ErrorState, Skeleton } from '../../kit/states.tsx';
import { call } from '../../lib/server/api.ts';
import { useTranslation } from '../../lib/text/i18n.ts';
import { LiveCard } from './live-card.tsx';
import { LiveFlow } from './live-flow.tsx';
import { inOrder } from './live.ts';

const EVERY_MS = 2500;

/** What the channels are doing right now. Pauses while the page is hidden. */
const LivePage = () => {
  const { t } = useTranslation('live');
  const query = useQuery({
    queryKey: ['channel-live'],
    queryFn: ({ signal }) => call(readLive, {}, signal),
    refetchInterval: EVERY_MS,
    refetchIntervalInBackground: false,
    refetchOnWindowFocus: true,
    staleTime: 0,
  });
  const { data } = query;
  return (
    <>
      <PageHeader title={t('title')} about={t('about')} />
      {query.isError && data === undefined && (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      )}
      {query.isPending && <Skeleton height={220} width="100%" />}
      {data?.channels.length === 0 && (
        <EmptyState text={t('empty')} icon={<IconActivity size={22} stroke={1.6} />}>
          <ConnectLink />
        </EmptyState>
      )}
      {data !== undefined && data.channels.length > 0 && (
        <>
          <p className="live-legend meta">
            <span>{t('legend.calls')}</span>
            <span className="live-legend-errors">{t('legend.errors')}</span>
            <span className="live-legend-firsts">{t('legend.firsts')}</span>
          </p>
          <ul className="live-cards" aria-label={t('channels')}>
            {inOrder(data.channels).map((channel) => (
              <LiveCard key={channel.id} channel={channel} bucketSeconds={data.bucket_seconds} />
            ))}
          </ul>
          {data.more > 0 && <p className="meta">{t('more', { count: data.more })}</p>}
          {data.nodes > 0 && <p className="meta">{t('nodes', { count: data.nodes })}</p>}
          <LiveFlow channels={data.channels} />
        </>
      )}
    </>
  );
};

export default LivePage;
