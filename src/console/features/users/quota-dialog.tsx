import { useState } from 'react';
import { Button } from '../../kit/button.tsx';
import { Dialog } from '../../kit/dialogs/dialog.tsx';
import { Notice } from '../../kit/states.tsx';
import { messageOf } from '../../lib/server/api-error.ts';
import { formatQuota, formatQuotaExact, formatQuotaParts } from '../../lib/text/format.ts';
import { useTranslation } from '../../lib/text/i18n.ts';
import { useAction } from '../../lib/server/query.ts';
import { addQuota } from './user-calls.ts';
import { USERS, type User } from './user.ts';
import { AmountFields, ReasonField } from './amount-fields.tsx';

/** A balance, its change, and the result, as texts that add up. */
const sumOf = (before: number, change: number): { before: string; change: string; after: string } => {
  const after = before + change;
  if (after < 0)
    return { before: formatQuota(before), change: formatQuota(-change), after: formatQuota(after) };
  const { parts, sum } = formatQuotaParts([Math.min(before, after), Math.abs(change)]);
  const [least = '', moved = ''] = parts;
  return change < 0
    ? { before: sum, change: moved, after: least }
    : { before: least, change: moved, after: sum };
};

interface QuotaDialogProps {
  readonly user: User;
  readonly onClose: () => void;
  /** Called with the new balance from the server. */
  readonly onDone?: (quotaUnits: number) => void;
}

/** Gives or, if negative, takes quota, and shows the resulting balance. */
const QuotaDialog = ({ user, onClose, onDone }: QuotaDialogProps) => {
  const { t } = useTranslation('users');
  const [units, setUnits] = useState<number>();
  const [reason, setReason] = useState('');
  const save = useAction({
    run: () => addQuota(user.id, units ?? 0, reason),
    done: t('quota.done'),
    refresh: [USERS],
    quiet: true,
  });
  const after = user.quota + (units ?? 0);
  const shown = sumOf(user.quota, units ?? 0);
  const isReady = units !== undefined && units !== 0 && after >= 0;
  const finish = ({ quota }: { readonly quota: number }): void => {
    onDone?.(quota);
    onClose();
  };
  const send = (): void => {
    if (isReady) save.mutate(undefined, { onSuccess: finish });
  };
  return (
    <Dialog
      title={t('quota.title', { name: user.username })}
      width={520}
      onClose={onClose}
      foot={
        <>
          <Button onClick={onClose}>{t('quota.cancel')}</Button>
          <Button variant="primary" busy={save.isPending} disabled={!isReady} onClick={send}>
            {t('quota.submit')}
          </Button>
        </>
      }
    >
      {save.isError && <Notice tone="bad">{messageOf(save.error)}</Notice>}
      <AmountFields units={units} onChange={setUnits} />
      <p className="user-sum number" aria-live="polite">
        {shown.before}
        <span className="tone-muted">{(units ?? 0) < 0 ? ' − ' : ' + '}</span>
        {shown.change}
        <span className="tone-muted"> = </span>
        <strong className={after < 0 ? 'tone-bad' : undefined} data-tip={formatQuotaExact(after)}>
          {shown.after}
        </strong>
      </p>
      {after < 0 && <p className="field-error">{t('quota.negative')}</p>}
      <ReasonField value={reason} onChange={setReason} />
    </Dialog>
  );
};

export default QuotaDialog;
