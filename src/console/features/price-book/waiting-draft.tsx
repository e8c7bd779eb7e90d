import { useState } from 'react';
import {
  approvePriceDraft,
  rejectPriceDraft,
  type readPriceDraft,
  unschedulePriceDraft,
} from '#contract/api/wallet/price-book.ts';
import type { Data } from '#contract/endpoint.ts';
import { Button } from '../../kit/button.tsx';
import { Dialog } from '../../kit/dialogs/dialog.tsx';
import { TextField } from '../../kit/fields/text-field.tsx';
import { Notice } from '../../kit/states.tsx';
import { call } from '../../lib/server/api.ts';
import { useAction } from '../../lib/server/query.ts';
import { formatTime, listed } from '../../lib/text/format.ts';
import { useTranslation } from '../../lib/text/i18n.ts';
import { toast } from '../../lib/toasts.ts';
import { ChangedSince } from './changed-since.tsx';
import { DiffTable } from './diff-table.tsx';
import { PreviewPanel } from './preview-panel.tsx';
import { type Change, PRICE_BOOK, reasonText } from './price-changes.ts';
import { SettingChanges } from './setting-changes.tsx';

interface WaitingDraftProps {
  readonly draft: Data<typeof readPriceDraft>;
  /** When the draft was read: a preview belongs to that state. */
  readonly readAt: number;
  readonly onRead: () => void;
  readonly onClose: () => void;
}

const REFRESHED = [PRICE_BOOK, 'attention'];

/** A draft that waits for an approval: whoever may decides, and its authors may take it back. */
export const WaitingDraft = ({ draft, readAt, onRead, onClose }: WaitingDraftProps) => {
  const { t } = useTranslation('price-book');
  const { id, revision, current, diff, may_approve: mayApprove } = draft;
  const [words, setWords] = useState('');
  const [changed, setChanged] = useState<readonly Change[]>([]);
  const isLate = draft.state === 'late';
  const params = { id };
  const approve = useAction({
    run: () =>
      call(approvePriceDraft, {
        params,
        body: { revision, base: current, words: words.trim(), at_once: isLate },
      }),
    refresh: REFRESHED,
  });
  const reject = useAction({
    run: () => call(rejectPriceDraft, { params, body: { revision, words: words.trim() } }),
    done: t('approval.rejected'),
    refresh: REFRESHED,
  });
  const takeBack = useAction({ run: () => call(unschedulePriceDraft, { params }), refresh: REFRESHED });
  const finish = ({
    published,
    changed_since: others,
    groups_in_use: groups,
  }: Data<typeof approvePriceDraft>) => {
    if (groups.length > 0) return toast('bad', t('approval.groups'));
    if (published) {
      toast('ok', t('approval.approved'));
      return onClose();
    }
    if (others.length === 0) toast('bad', t('approval.changed'));
    setChanged(others);
    onRead();
  };
  const isBusy = approve.isPending || reject.isPending || takeBack.isPending;
  const foot = mayApprove ? (
    <>
      <Button
        variant="plain"
        disabled={words.trim() === '' || isBusy}
        busy={reject.isPending}
        onClick={() => reject.mutate(undefined, { onSuccess: onClose, onError: onRead })}
      >
        {t('approval.reject')}
      </Button>
      <Button
        variant="primary"
        disabled={isBusy}
        busy={approve.isPending}
        onClick={() => approve.mutate(undefined, { onSuccess: finish, onError: onRead })}
      >
        {t(isLate ? 'approval.approveNow' : 'approval.approve')}
      </Button>
    </>
  ) : (
    <Button busy={takeBack.isPending} onClick={() => takeBack.mutate(undefined, { onSuccess: onRead })}>
      {t('approval.takeBack')}
    </Button>
  );
  return (
    <Dialog
      title={[t('draft.title'), reasonText(draft.reason, t)].join(' · ')}
      onClose={onClose}
      width={920}
      foot={foot}
      isInAddress
    >
      <Question draft={draft} />
      {diff.length > 0 && <DiffTable label={t('draft.diff')} diff={diff} />}
      <SettingChanges settings={draft.settings} />
      <ChangedSince
        changes={changed.length > 0 ? changed : draft.changed_since}
        tone={changed.length > 0 ? 'bad' : 'warn'}
        text={t(changed.length > 0 ? 'approval.changed' : 'draft.changedSince')}
      />
      {diff.length > 0 && <PreviewPanel key={readAt} draft={id} />}
      {mayApprove && (
        <section className="price-publish">
          <TextField
            label={t('approval.words')}
            hint={t('approval.wordsHint')}
            value={words}
            maxLength={500}
            onChange={setWords}
          />
        </section>
      )}
    </Dialog>
  );
};

/** Who asks for what, and what an approval would do. */
const Question = ({ draft }: Pick<WaitingDraftProps, 'draft'>) => {
  const { t } = useTranslation('price-book');
  const { author, reason, writers, due_at: due, state, restoring, may_approve: mayApprove } = draft;
  const names = listed(writers.map(({ id, name }) => (id === 0 ? t('version.nobody') : name)));
  const when = state === 'late' ? 'late' : due === null ? 'now' : 'at';
  return (
    <Notice tone={state === 'late' ? 'bad' : 'warn'}>
      <p>{t('approval.waits', { author, reason: reasonText(reason, t) })}</p>
      <p>{t(`approval.${when}`, { time: due === null ? '' : formatTime(due) })}</p>
      <p>
        {t('approval.writers', { names })}
        {restoring !== null && ` · ${t('approval.restoring', { version: restoring.version })}`}
      </p>
      {restoring?.ends_schedules === true && <p>{t('approval.endsSchedules')}</p>}
      {!mayApprove && <p>{t('approval.own')}</p>}
    </Notice>
  );
};
