import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { readPriceVersion, restorePriceVersion } from '#contract/api/wallet/price-book.ts';
import type { Data } from '#contract/endpoint.ts';
import { Button } from '../../kit/button.tsx';
import { Dialog } from '../../kit/dialogs/dialog.tsx';
import { confirm } from '../../kit/dialogs/dialogs.ts';
import { TextField } from '../../kit/fields/text-field.tsx';
import { Segmented } from '../../kit/segmented.tsx';
import { ErrorState } from '../../kit/states.tsx';
import { call } from '../../lib/server/api.ts';
import { formatTime, listed } from '../../lib/text/format.ts';
import { useTranslation } from '../../lib/text/i18n.ts';
import { useAction } from '../../lib/server/query.ts';
import { toast } from '../../lib/toasts.ts';
import { useGroupsGone } from '../../shared/use-groups-gone.tsx';
import { DiffTable } from './diff-table.tsx';
import { PRICE_BOOK, reasonText } from './price-changes.ts';
import { SettingChanges } from './setting-changes.tsx';

interface VersionDialogProps {
  readonly id: number;
  /** The current version; undefined until it is loaded. */
  readonly current: number | undefined;
  /** How many drafts are due. */
  readonly due: number;
  readonly onClose: () => void;
}

interface Restoring {
  readonly base: number;
  readonly mayRemove: readonly string[];
}

/** The changes of a version, and restoring it. */
const VersionDialog = ({ id, current, due, onClose }: VersionDialogProps) => {
  const { t } = useTranslation('price-book');
  const [reason, setReason] = useState('');
  const [scheduled, setScheduled] = useState<'keep' | 'cancel'>('keep');
  const groupsGone = useGroupsGone();
  const read = useQuery({
    queryKey: [PRICE_BOOK, 'version', id],
    queryFn: ({ signal }) => call(readPriceVersion, { params: { id } }, signal),
  });
  const restore = useAction({
    run: ({ base, mayRemove }: Restoring) =>
      call(restorePriceVersion, {
        params: { id },
        body: {
          base,
          reason: reason.trim(),
          remove_groups: [...mayRemove],
          ...(due > 0 && { scheduled }),
        },
      }),
    refresh: [PRICE_BOOK],
  });
  const ask = async (base: number): Promise<void> => {
    const title = t('restore.title', { version: id });
    if (!(await confirm({ title, text: t('restore.text'), action: t('restore.action'), danger: true })))
      return;
    restoreNow({ base, mayRemove: [] });
  };
  const restoreNow = (how: Restoring): void =>
    restore.mutate(how, { onSuccess: (outcome) => void finish(outcome, how.base) });
  const finish = async (outcome: Data<typeof restorePriceVersion>, base: number): Promise<void> => {
    const { published, draft, groups_in_use: groups } = outcome;
    if (groups.length > 0) {
      const isSure = await groupsGone.ask(groups);
      if (isSure) restoreNow({ base, mayRemove: groups.map(({ name }) => name) });
      return;
    }
    if (draft === null && !published) return toast('bad', t('restore.outdated'));
    toast('ok', t(draft === null ? 'publish.done' : 'approval.asked'));
    onClose();
  };
  const isOld = current !== undefined && read.data !== undefined && id !== current;
  const foot = isOld && (
    <Button busy={restore.isPending} disabled={reason.trim() === ''} onClick={() => void ask(current)}>
      {t('restore.action')}
    </Button>
  );
  return (
    <Dialog title={t('version.title', { version: id })} onClose={onClose} width={860} foot={foot} isInAddress>
      {read.data !== undefined && (
        <p className="meta">
          {formatTime(read.data.created_at)} · {read.data.author || t('version.nobody')} ·{' '}
          {reasonText(read.data.reason, t)}
        </p>
      )}
      {read.data !== undefined && <Approval version={read.data} />}
      {read.data !== undefined && read.data.diff.length > 0 && (
        <DiffTable label={t('version.title', { version: id })} diff={read.data.diff} />
      )}
      {read.data !== undefined && <SettingChanges settings={read.data.settings} />}
      {read.data?.diff.length === 0 && read.data.settings.length === 0 && (
        <p className="tone-muted">{t('version.unknown')}</p>
      )}
      {read.error !== null && <ErrorState error={read.error} onRetry={() => void read.refetch()} />}
      {id === current && id > 1 && <WayBack before={id - 1} />}
      {isOld && (
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
      {groupsGone.view}
    </Dialog>
  );
};

/** Who wrote it, and which other admin approved it with what words. */
const Approval = ({ version }: { readonly version: Data<typeof readPriceVersion> }) => {
  const { t } = useTranslation('price-book');
  const { approval, writers } = version;
  if (approval === null) return null;
  return (
    <p className="meta">
      {t('approval.writers', { names: listed(writers.map(({ name }) => name)) })} ·{' '}
      {t(approval.words === '' ? 'approval.approvedBy' : 'approval.approvedWith', {
        name: approval.name,
        time: formatTime(approval.time),
        words: approval.words,
      })}
    </p>
  );
};

/** Whoever opens the change that was a mistake is led to the version that has the prices from before it. */
const WayBack = ({ before }: { readonly before: number }) => {
  const { t } = useTranslation('price-book');
  return (
    <p>
      <Link to="/price-book" search={{ version: String(before) }} className="link">
        {t('version.takeBack', { version: before })}
      </Link>
    </p>
  );
};

export default VersionDialog;
