import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Button } from '../../../kit/button.tsx';
import { useTranslation } from '../../../lib/text/i18n.ts';
import { queryClient, useAction } from '../../../lib/server/query.ts';
import { CHANNEL_KEYS, endRound, KEY_ROUND, loadRound, tryAllKeys } from './key-calls.ts';

const POLL_MS = 1000;

/** Tests all keys of the channel and shows the progress. */
export const KeyRound = ({ channelId }: { readonly channelId: number }) => {
  const { t } = useTranslation('channel-keys');
  const { data } = useQuery({
    queryKey: [KEY_ROUND],
    queryFn: loadRound,
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.running === true ? POLL_MS : false),
  });
  const begin = useAction({ run: () => tryAllKeys(channelId), refresh: [KEY_ROUND] });
  const stop = useAction({ run: endRound, refresh: [KEY_ROUND] });
  const round = data?.channel_id === channelId ? data : null;
  const isRunning = round?.running === true;
  const { done = 0, total = 0, failed = 0, started_time: startedAt, finished_time: finishedAt } = round ?? {};
  // Reloads the keys, which each test may have changed; a round may end before its first progress query.
  useEffect(
    () => void queryClient.invalidateQueries({ queryKey: [CHANNEL_KEYS] }),
    [startedAt, finishedAt, done],
  );
  return (
    <span className="keys-round">
      <span className="meta number" role="status">
        {round !== null && t(isRunning ? 'round.running' : 'round.done', { done, total, failed })}
      </span>
      {isRunning ? (
        <Button size="small" busy={stop.isPending} onClick={() => stop.mutate()}>
          {t('round.stop')}
        </Button>
      ) : (
        <Button size="small" busy={begin.isPending} onClick={() => begin.mutate()}>
          {t('round.begin')}
        </Button>
      )}
    </span>
  );
};
