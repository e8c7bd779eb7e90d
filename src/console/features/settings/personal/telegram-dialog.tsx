import { Dialog } from '../../../kit/dialogs/dialog.tsx';
import { TelegramButton } from '../../../shared/telegram-button.tsx';
import { useTranslation } from '../../../lib/text/i18n.ts';

/** Telegram's own button; it redirects to /oauth/telegram with signed values. */
const TelegramDialog = ({ onClose }: { readonly onClose: () => void }) => {
  const { t } = useTranslation('personal');
  return (
    <Dialog title={t('telegram.title')} width={420} onClose={onClose}>
      <div className="personal-qr">
        <p>{t('telegram.about')}</p>
        <TelegramButton purpose="bind" />
      </div>
    </Dialog>
  );
};

export default TelegramDialog;
