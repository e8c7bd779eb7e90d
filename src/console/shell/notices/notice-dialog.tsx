import { Button } from '../../kit/button.tsx';
import CustomContent from '../../kit/custom-content.tsx';
import { Dialog } from '../../kit/dialogs/dialog.tsx';
import { useTranslation } from '../../lib/text/i18n.ts';

const NoticeDialog = ({ text, onClose }: { readonly text: string; readonly onClose: () => void }) => {
  const { t } = useTranslation();
  return (
    <Dialog
      title={t('shell.notice')}
      onClose={onClose}
      foot={
        <Button variant="primary" onClick={onClose}>
          {t('shell.noticeSeen')}
        </Button>
      }
    >
      <CustomContent text={text} title={t('shell.notice')} />
    </Dialog>
  );
};

export default NoticeDialog;
