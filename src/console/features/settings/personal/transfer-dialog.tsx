import { useState } from 'react';
import { transferEarnings } from '#contract/api/people/personal.ts';
import { QUOTA_PER_UNIT } from '#contract/limits.ts';
import { Button } from '../../../kit/button.tsx';
import { Dialog } from '../../../kit/dialogs/dialog.tsx';
import { QuotaField } from '../../../kit/fields/quota-field.tsx';
import { Notice } from '../../../kit/states.tsx';
import { call } from '../../../lib/server/api.ts';
import { refusalOf } from '../../../lib/server/refusal-of.ts';
import { formatQuota } from '../../../lib/text/format.ts';
import { useTranslation } from '../../../lib/text/i18n.ts';
import { useAction } from '../../../lib/server/query.ts';
import { useSiteStatus } from '../../../lib/server/site-status.ts';
import { SELF, type Self } from './use-self.ts';

/** Moves invite earnings to the balance, at least one unit of money. */
const TransferDialog = ({ self, onClose }: { readonly self: Self; readonly onClose: () => void }) => {
  const { t } = useTranslation('personal');
  const minimum = useSiteStatus()?.quota_per_unit ?? QUOTA_PER_UNIT;
  const [units, setUnits] = useState<number | undefined>(minimum);
  const save = useAction({
    run: () => call(transferEarnings, { body: { quota: units ?? 0 } }),
    done: t('transfer.done'),
    refresh: [SELF],
    quiet: true,
  });
  const refusal = refusalOf(save.error, ['quota']);
  const wrong =
    units === undefined || units < minimum
      ? t('transfer.minimum', { minimum: formatQuota(minimum) })
      : units > self.aff_quota
        ? t('transfer.tooMuch')
        : undefined;
  return (
    <Dialog
      title={t('transfer.title')}
      width={520}
      onClose={onClose}
      foot={
        <>
          <Button onClick={onClose}>{t('action.cancel')}</Button>
          <Button
            variant="primary"
            busy={save.isPending}
            disabled={wrong !== undefined}
            onClick={() => save.mutate(undefined, { onSuccess: onClose })}
          >
            {t('transfer.submit')}
          </Button>
        </>
      }
    >
      {refusal.above !== undefined && <Notice tone="bad">{refusal.above}</Notice>}
      <p>{t('transfer.available', { units: formatQuota(self.aff_quota) })}</p>
      <QuotaField
        label={t('transfer.amount')}
        value={units}
        onChange={setUnits}
        error={wrong ?? refusal.at('quota')}
      />
    </Dialog>
  );
};

export default TransferDialog;
