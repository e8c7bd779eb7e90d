import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { createPortal } from 'react-dom';
import '../../kit/tables/batch-progress.css';
import { Button } from '../../kit/button.tsx';
import { useTranslation } from '../../lib/text/i18n.ts';
import { queryClient, useAction } from '../../lib/server/query.ts';
import { toast } from '../../lib/toasts.ts';
import { CHANNEL_TAGS, CHANNELS } from './channel.ts';
import { CHANNEL_ROUNDS, endRound, loadRounds, type RoundKind } from './channel-work.ts';

const POLL_MS = 1000;

/**
 * Progress of testing all channels or updating all balances, whoever started it; empty while nothing runs.
 */
const RoundProgress = () => {
  const rounds = useQuery({
    queryKey: [CHANNEL_ROUNDS],
    queryFn: loadRounds,
    staleTime: 0,
    refetchInterval: ({ state }) =>
      state.data?.test?.running === true || state.data?.balance?.running === true ? POLL_MS : false,
  }).data;
  return (
    <>
      {(['test', 'balance'] as const).map((kind) => (
        <RoundView key={kind} kind={kind} round={rounds?.[kind] ?? null} />
      ))}
    </>
  );
};

type Rounds = Awaited<ReturnType<typeof loadRounds>>;

const RoundView = ({ kind, round }: { readonly kind: RoundKind; readonly round: Rounds['test'] }) => {
  const { t } = useTranslation('channel-more');
  const stop = useAction({ run: () => endRound(kind), refresh: [CHANNEL_ROUNDS] });
  const wasRunning = useRef(false);
  const isRunning = round?.running === true;
  const { total = 0, failed = 0, stopped = false } = round ?? {};
  useEffect(() => {
    if (wasRunning.current && !isRunning) {
      if (!stopped)
        toast(failed > 0 ? 'info' : 'ok', t(`round.${kind}.done`, { count: total, total, failed }));
      for (const name of [CHANNELS, CHANNEL_TAGS]) void queryClient.invalidateQueries({ queryKey: [name] });
    }
    wasRunning.current = isRunning;
  }, [isRunning, kind, total, failed, stopped, t]);
  if (!isRunning) return null;
  const title = t(`round.${kind}.title`);
  return createPortal(
    <section className="batch-progress" aria-label={title}>
      <div className="batch-progress-head">
        <span className="truncate">{title}</span>
        <span className="number meta">{t('round.progress', { done: round.done, total })}</span>
        <Button size="small" busy={stop.isPending} onClick={() => stop.mutate()}>
          {t('round.stop')}
        </Button>
      </div>
      <progress className="batch-progress-bar" value={round.done} max={total} aria-label={title} />
      <span className="meta truncate" role="status">
        {round.current}
      </span>
    </section>,
    document.body,
  );
};

export default RoundProgress;
