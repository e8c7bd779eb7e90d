import { useState } from 'react';
import { Button } from '../../kit/button.tsx';
import { Dialog } from '../../kit/dialogs/dialog.tsx';
import { Notice } from '../../kit/states.tsx';
import { formatQuota, formatQuotaExact } from '../../lib/text/format.ts';
import { useTranslation } from '../../lib/text/i18n.ts';
import { AmountFields, ReasonField } from './amount-fields.tsx';

interface GrantDialogProps {
  readonly count: number;
  /** Which of the selected accounts are left out. */
  readonly note: string;
  readonly onClose: () => void;
  readonly onDone: (units: number, reason: string) => void;
}

/** The amount that each of the accounts gets or, if negative, loses, and the total. */
const GrantDialog = ({ count, note, onClose, onDone }: GrantDialogProps) => {
  const { t } = useTranslation('users');
  const [units, setUnits] = useState<number>();
  const [reason, setReason] = useState('');
  const isReady = units !== undefined && units !== 0;
  const send = (): void => {
    if (!isReady) return;
    onClose();
    onDone(units, reason);
  };
  const total = (units ?? 0) * count;
  return (
    <Dialog
      title={t('many.quota.title', { count })}
      width={520}
      onClose={onClose}
      foot={
        <>
          <Button onClick={onClose}>{t('quota.cancel')}</Button>
          <Button variant="primary" disabled={!isReady} onClick={send}>
            {t('many.quota.button')}
          </Button>
        </>
      }
    >
      {note !== '' && <Notice tone="info">{note}</Notice>}
      <AmountFields units={units} onChange={setUnits} />
      <p className="user-sum number" aria-live="polite" data-tip={formatQuotaExact(total)}>
        {t('many.quota.total', { count, each: formatQuota(units ?? 0), total: formatQuota(total) })}
      </p>
      <ReasonField value={reason} onChange={setReason} />
    </Dialog>
  );
};

export default GrantDialog;
