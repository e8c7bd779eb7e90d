import './clear-logs-dialog.css';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { clearLogs, readClearing } from '#contract/api/logs/logs.ts';
import { Button } from '../kit/button.tsx';
import { Dialog } from '../kit/dialogs/dialog.tsx';
import { TimeField } from '../kit/fields/time-field.tsx';
import { call } from '../lib/server/api.ts';
import { messageOf } from '../lib/server/api-error.ts';
import { formatExact } from '../lib/text/format.ts';
import { useTranslation } from '../lib/text/i18n.ts';
import { useAction } from '../lib/server/query.ts';
import { toast } from '../lib/toasts.ts';
import { DAY_S } from '../lib/text/spans.ts';

interface ClearLogsDialogProps {
  /** The queries to reload afterwards. */
  readonly refresh: readonly string[];
  readonly onClose: () => void;
}

const LOOK_EVERY_MS = 400;

const daysAgo = (days: number): number => Math.floor(Date.now() / 1000) - days * DAY_S;

/** Deletes old logs; sums and balances stay. Closing the dialog does not stop a deletion that has begun. */
const ClearLogsDialog = ({ refresh, onClose }: ClearLogsDialogProps) => {
  const { t } = useTranslation('log-more');
  const [until, setUntil] = useState<number | undefined>(() => daysAgo(30));
  const [problem, setProblem] = useState<string>();
  const clear = useAction({
    run: (at: number) => call(clearLogs, { query: { target_timestamp: at } }),
    refresh,
    quiet: true,
  });
  const { data: progress } = useQuery({
    queryKey: ['log-clearing'],
    queryFn: ({ signal }) => call(readClearing, {}, signal),
    refetchInterval: clear.isPending ? LOOK_EVERY_MS : false,
  });
  const send = (): void => {
    if (until === undefined) return setProblem(t('clear.needed'));
    setProblem(undefined);
    clear.mutate(until, {
      onSuccess: (count) => {
        toast('ok', t('clear.done', { count, exact: formatExact(count) }));
        onClose();
      },
      onError: (error) => setProblem(t('clear.failed', { message: messageOf(error) })),
    });
  };
  const foot = (
    <>
      <Button onClick={onClose}>{t('clear.close')}</Button>
      <Button variant="danger" busy={clear.isPending} onClick={send}>
        {t('clear.submit')}
      </Button>
    </>
  );
  return (
    <Dialog title={t('clear.title')} width={480} onClose={onClose} foot={foot} losesNothing>
      <p className="tone-muted">{t('clear.about')}</p>
      <TimeField
        label={t('clear.until')}
        error={problem}
        value={until}
        onChange={setUntil}
        presets={[7, 30, 90].map((days) => ({
          label: t('clear.days', { count: days, days }),
          value: () => daysAgo(days),
        }))}
      />
      {clear.isPending && progress?.is_running === true && (
        <p role="status">
          <progress
            className="log-clearing"
            aria-label={t('clear.title')}
            value={progress.deleted}
            max={progress.total}
          />{' '}
          {t('clear.progress', {
            deleted: formatExact(progress.deleted),
            total: formatExact(progress.total),
          })}
        </p>
      )}
    </Dialog>
  );
};

export default ClearLogsDialog;
