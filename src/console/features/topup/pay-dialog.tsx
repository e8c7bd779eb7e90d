import { Button } from '../../kit/button.tsx';
import { Dialog } from '../../kit/dialogs/dialog.tsx';
import { useTranslation } from '../../lib/text/i18n.ts';
import { methodName, type PayMethod } from './wallet-calls.ts';

interface PayDialogProps {
  readonly amount: string;
  readonly money: string;
  readonly method: PayMethod;
  readonly isBusy: boolean;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

/** The confirmation before the payment gateway. */
const PayDialog = ({ amount, money, method, isBusy, onConfirm, onClose }: PayDialogProps) => {
  const { t } = useTranslation('topup');
  const foot = (
    <>
      <Button onClick={onClose} disabled={isBusy}>
        {t('pay.cancel')}
      </Button>
      <Button variant="primary" data-autofocus busy={isBusy} onClick={onConfirm}>
        {t('pay.confirm')}
      </Button>
    </>
  );
  return (
    <Dialog title={t('pay.title')} width={420} onClose={onClose} foot={foot}>
      <dl className="wallet-bill">
        <div>
          <dt>{t('pay.amount')}</dt>
          <dd className="number">{amount}</dd>
        </div>
        <div>
          <dt>{t('pay.money')}</dt>
          <dd className="number wallet-bill-money">{t('online.money', { money })}</dd>
        </div>
        <div>
          <dt>{t('pay.method')}</dt>
          <dd>{methodName(method, t)}</dd>
        </div>
      </dl>
      <p className="tone-muted">{t('pay.about')}</p>
    </Dialog>
  );
};

export default PayDialog;
