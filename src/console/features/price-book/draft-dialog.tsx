import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import {
  createPriceDraft,
  deletePriceDraft,
  publishPriceDraft,
  readPriceDraft,
  unschedulePriceDraft,
  updatePriceDraft,
} from '#contract/api/wallet/price-book.ts';
import type { Data } from '#contract/endpoint.ts';
import { Button } from '../../kit/button.tsx';
import { Dialog } from '../../kit/dialogs/dialog.tsx';
import { TextField } from '../../kit/fields/text-field.tsx';
import { TimeField } from '../../kit/fields/time-field.tsx';
import { ErrorState, Notice } from '../../kit/states.tsx';
import { call } from '../../lib/server/api.ts';
import { formatTime } from '../../lib/text/format.ts';
import { useTranslation } from '../../lib/text/i18n.ts';
import { queryClient, useAction } from '../../lib/server/query.ts';
import { toast } from '../../lib/toasts.ts';
import { useGroupsGone } from '../../shared/use-groups-gone.tsx';
import { AddEntry } from './add-entry.tsx';
import { ChangedSince } from './changed-since.tsx';
import { DiffTable } from './diff-table.tsx';
import { PreviewPanel } from './preview-panel.tsx';
import {
  type Change,
  type Entry,
  entriesOf,
  isGiven,
  PRICE_BOOK,
  reasonText,
  withEntry,
} from './price-changes.ts';
import { SettingChanges } from './setting-changes.tsx';
import { WaitingDraft } from './waiting-draft.tsx';

/** Reloaded after a change, but not after publishing, which removes it. */
const DRAFT = 'price-draft';

type ReadDraft = Data<typeof readPriceDraft>;

interface DraftDialogProps {
  readonly id: number;
  readonly onClose: () => void;
}

/** A draft: its changes, its preview, and publishing it. */
const DraftDialog = ({ id, onClose }: DraftDialogProps) => {
  const { t } = useTranslation('price-book');
  const draft = useQuery({
    queryKey: [DRAFT, id],
    queryFn: ({ signal }) => call(readPriceDraft, { params: { id } }, signal),
    // The form always starts with the stored values.
    gcTime: 0,
  });
  const { state } = draft.data ?? {};
  if (draft.data !== undefined && (state === 'asked' || state === 'late'))
    return (
      <WaitingDraft draft={draft.data} readAt={draft.dataUpdatedAt} onRead={readAgain} onClose={onClose} />
    );
  if (draft.data !== undefined)
    return <DraftView draft={draft.data} readAt={draft.dataUpdatedAt} onClose={onClose} />;
  return (
    <Dialog title={t('draft.title')} onClose={onClose} width={920} isInAddress>
      {draft.error !== null && <ErrorState error={draft.error} onRetry={() => void draft.refetch()} />}
    </Dialog>
  );
};

interface DraftViewProps {
  readonly draft: ReadDraft;
  /** When the draft was read: a preview belongs to that state. */
  readonly readAt: number;
  readonly onClose: () => void;
}

const DraftView = ({ draft, readAt, onClose }: DraftViewProps) => {
  const { t } = useTranslation('price-book');
  const { id, diff, state, edition, settings, needs_approval: needsApproval } = draft;
  // The word of a form that made it is no reason somebody gave.
  const [begun] = useState(isGiven(draft.reason) ? draft.reason : '');
  const [reason, setReason] = useState(begun);
  const [at, setAt] = useState<number>();
  const [changed, setChanged] = useState<readonly Change[]>([]);
  const [isHalf, setHalf] = useState(false);
  const groupsGone = useGroupsGone();
  const isDue = state === 'due';
  const save = useAction({
    run: (entries: readonly Entry[]) =>
      call(updatePriceDraft, { params: { id }, body: { entries: [...entries], reason, was: { edition } } }),
    refresh: [PRICE_BOOK, DRAFT],
  });
  const unschedule = useAction({
    run: () => call(unschedulePriceDraft, { params: { id } }),
    refresh: [PRICE_BOOK, DRAFT],
  });
  const { publish, publishNow, isSent } = usePublish({
    draft,
    reason,
    at,
    groupsGone,
    onOthers: setChanged,
    onClose,
  });
  const change = (entries: readonly Entry[]): void =>
    save.mutate(entries, {
      onSuccess: () => setChanged([]),
      onError: readAgain,
    });
  const add = (entry: Entry): void => change(withEntry(entriesOf(diff), entry));
  const remove = ({ option, key }: Change): void =>
    change(entriesOf(diff.filter((one) => one.option !== option || one.key !== key)));
  // The reason is saved with the draft, so that it is kept if there is nothing to publish yet.
  const keepReason = useEffectEvent(() => {
    if (!isDue && !isSent.current && reason !== begun) save.mutate(entriesOf(diff));
  });
  useEffect(() => () => keepReason(), []);
  const drop = useAction({
    run: () => call(deletePriceDraft, { params: { id } }),
    refresh: [PRICE_BOOK],
    quiet: true,
  });
  // A draft with nothing in it would only be something to delete.
  const leave = (): void => {
    if (state === 'open' && isEmpty && reason.trim() === '') drop.mutate();
    onClose();
  };
  const isEmpty = diff.length === 0 && settings.length === 0;
  const mayPublish = !isDue && !isEmpty && reason.trim() !== '';
  const foot = isDue ? (
    <Button busy={unschedule.isPending} onClick={() => unschedule.mutate()}>
      {t('publish.unschedule')}
    </Button>
  ) : (
    <Button
      variant="primary"
      disabled={!mayPublish}
      busy={publish.isPending}
      onClick={() => (isHalf ? toast('bad', t('add.half')) : publishNow())}
    >
      {t(needsApproval ? 'approval.ask' : at === undefined ? 'publish.now' : 'publish.later')}
    </Button>
  );
  return (
    <Dialog
      title={[t('draft.title'), draft.reason && reasonText(draft.reason, t)].filter(Boolean).join(' · ')}
      onClose={leave}
      width={920}
      foot={foot}
      isInAddress
      isDirty={isHalf}
      // The reason is saved when it closes.
      losesNothing
    >
      <DraftNotices draft={draft} />
      {isEmpty ? (
        <p className="tone-muted">{t('draft.empty')}</p>
      ) : (
        diff.length > 0 && (
          <DiffTable label={t('draft.diff')} diff={diff} {...(!isDue && { onRemove: remove })} />
        )
      )}
      {!isDue && <AddEntry diff={diff} onAdd={add} onHalf={setHalf} />}
      <SettingChanges settings={settings} />
      <ChangedSince
        changes={changed.length > 0 ? changed : draft.changed_since}
        tone={changed.length > 0 ? 'bad' : 'warn'}
        text={t(changed.length > 0 ? 'draft.refused' : 'draft.changedSince')}
      />
      {diff.length > 0 && (
        // Not loaded later: the dialog stands in the middle, so that its fields would move while one chooses in them.
        <PreviewPanel key={readAt} draft={id} />
      )}
      {!isDue && (
        <section className="price-publish">
          <h3>{t('publish.title')}</h3>
          {needsApproval && <p>{t('approval.askHint')}</p>}
          <TextField
            label={t('publish.reason')}
            value={reason}
            required
            maxLength={500}
            onChange={setReason}
          />
          <TimeField label={t('publish.at')} hint={t('publish.atHint')} value={at} onChange={setAt} />
        </section>
      )}
      {groupsGone.view}
    </Dialog>
  );
};

interface Publishing extends Pick<DraftViewProps, 'draft' | 'onClose'> {
  readonly reason: string;
  /** Unix seconds; now where undefined. */
  readonly at: number | undefined;
  readonly groupsGone: ReturnType<typeof useGroupsGone>;
  /** Is told what others have changed since: nothing is published. */
  readonly onOthers: (changes: readonly Change[]) => void;
}

/** Publishes a draft, now or at a time; where prices need a second person, asks for an approval. */
const usePublish = ({ draft, reason, at, groupsGone, onOthers, onClose }: Publishing) => {
  const { t } = useTranslation('price-book');
  const { id, current, edition } = draft;
  /** Closed before it is drawn again, the form must know that there is nothing left to save. */
  const isSent = useRef(false);
  const publish = useAction({
    run: (mayRemove: readonly string[]) =>
      call(publishPriceDraft, {
        params: { id },
        body: {
          base: current,
          reason: reason.trim(),
          remove_groups: [...mayRemove],
          was: { edition },
          ...(at !== undefined && { at }),
        },
      }),
    refresh: [PRICE_BOOK, 'attention'],
  });
  const publishNow = (mayRemove: readonly string[] = []): void =>
    publish.mutate(mayRemove, { onSuccess: (outcome) => void finish(outcome), onError: readAgain });
  const finish = async (outcome: Data<typeof publishPriceDraft>): Promise<void> => {
    const { published, draft: waiting, changed_since: others, groups_in_use: groups } = outcome;
    if (groups.length > 0) {
      if (await groupsGone.ask(groups)) publishNow(groups.map(({ name }) => name));
      return;
    }
    if (waiting === null && !published) {
      // Settings may have been changed too, which are no rows.
      if (others.length === 0) toast('bad', t('draft.refused'));
      onOthers(others);
      return readAgain();
    }
    isSent.current = true;
    if (waiting !== null) toast('ok', t('approval.asked'));
    else toast('ok', at === undefined ? t('publish.done') : t('publish.scheduled', { time: formatTime(at) }));
    onClose();
  };
  return { publish, publishNow, isSent };
};

const answerOf = ({ approved, words }: NonNullable<ReadDraft['verdict']>) => {
  if (!approved) return 'rejectedBy';
  return words === '' ? 'approvedBy' : 'approvedWith';
};

/** What has become of a draft so far. */
const DraftNotices = ({ draft: { state, due_at: due, verdict } }: Pick<DraftViewProps, 'draft'>) => {
  const { t } = useTranslation('price-book');
  return (
    <>
      {state === 'due' && due !== null && (
        <Notice tone="warn">{t('publish.isDue', { time: formatTime(due) })}</Notice>
      )}
      {verdict !== null && (
        <Notice tone={verdict.approved ? 'ok' : 'bad'}>
          {t(`approval.${answerOf(verdict)}`, {
            name: verdict.name,
            time: formatTime(verdict.time),
            words: verdict.words,
          })}
        </Notice>
      )}
      {(state === 'conflict' || state === 'barred' || state === 'used') && (
        <Notice tone="bad">{t(`draft.${state}`)}</Notice>
      )}
    </>
  );
};

/** Others may have changed the draft. */
const readAgain = (): void => void queryClient.invalidateQueries({ queryKey: [DRAFT] });

/** Makes an empty draft. */
export const newDraft = (entries: readonly Entry[] = []): Promise<number> =>
  call(createPriceDraft, { body: { reason: '', entries: [...entries] } }).then(({ id }) => id);

export default DraftDialog;
