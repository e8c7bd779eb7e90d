import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { readPriceVersion, restorePriceVersion } from '#contract/api/price-book.ts';
import { Button } from '../../kit/button.tsx';
import { Dialog } from '../../kit/dialogs/dialog.tsx';
import { confirm } from '../../kit/dialogs/dialogs.ts';
import { TextField } from '../../kit/fields/text-field.tsx';
import { Segmented } from '../../kit/segmented.tsx';
import { ErrorState } from '../../kit/states.tsx';
import { call } from '../../lib/server/api.ts';
import { formatTime } from '../../lib/text/format.ts';
import { useTranslation } from '../../lib/text/i18n.ts';
import { useAction } from '../../lib/server/query.ts';
import { toast } from '../../lib/toasts.ts';
import { DiffTable } from './diff-table.tsx';
import { PRICE_BOOK, type Version } from './price-changes.ts';

interface VersionDialogProps {
  readonly version: Version;
  /** The version that counts. */
  readonly current: number;
  /** How many drafts are due. */
  readonly due: number;
  readonly onClose: () => void;
}

/** The changes of a version, and restoring it. */
const VersionDialog = ({ version, current, due, onClose }: VersionDialogProps) => {
  const { t } = useTranslation('price-book');
  const [reason, setReason] = useState('');
  const [scheduled, setScheduled] = useState<'keep' | 'cancel'>('keep');
  const id = version.version;
  const read = useQuery({
    queryKey: [PRICE_BOOK, 'version', id],
    queryFn: ({ signal }) => call(readPriceVersion, { params: { id } }, signal),
  });
  const restore = useAction({
    run: () =>
      call(restorePriceVersion, {
        params: { id },
        body: { base: current, reason: reason.trim(), ...(due > 0 && { scheduled }) },
      }),
    refresh: [PRICE_BOOK],
  });
  const ask = async (): Promise<void> => {
    const title = t('restore.title', { version: id });
    if (!(await confirm({ title, text: t('restore.text'), action: t('restore.action'), danger: true })))
      return;
    restore.mutate(undefined, {
      onSuccess: ({ published }) => {
        if (!published) return toast('bad', t('restore.outdated'));
        toast('ok', t('publish.done'));
        onClose();
      },
    });
  };
  const foot = id !== current && (
    <Button busy={restore.isPending} disabled={reason.trim() === ''} onClick={() => void ask()}>
      {t('restore.action')}
    </Button>
  );
  return (
    <Dialog title={t('version.title', { version: id })} onClose={onClose} width={860} foot={foot}>
      <p className="meta">
        {formatTime(version.created_at)} · {version.author || t('version.nobody')} · {version.reason}
      </p>
      {read.data !== undefined && read.data.diff.length > 0 && (
        <DiffTable label={t('version.title', { version: id })} diff={read.data.diff} />
      )}
      {read.data?.diff.length === 0 && <p className="tone-muted">{t('version.unknown')}</p>}
      {read.error !== null && <ErrorState error={read.error} onRetry={() => void read.refetch()} />}
      {id !== current && (
        <section className="price-publish">
          <h3>{t('restore.title', { version: id })}</h3>
          <TextField
            label={t('publish.reason')}
            value={reason}
            required
            maxLength={500}
            onChange={setReason}
          />
          {due > 0 && (
            <>
              <p>{t('restore.due', { count: due })}</p>
              <Segmented
                label={t('restore.scheduled')}
                value={scheduled}
                options={[
                  { value: 'keep', label: t('restore.keep') },
                  { value: 'cancel', label: t('restore.cancel') },
                ]}
                onChange={setScheduled}
              />
            </>
          )}
        </section>
      )}
    </Dialog>
  );
};

export default VersionDialog;
