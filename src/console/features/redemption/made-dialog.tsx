import { IconDownload } from '@tabler/icons-react';
import { Button } from '../../kit/button.tsx';
import { Copy, copyText } from '../../kit/copy.tsx';
import { Dialog } from '../../kit/dialogs/dialog.tsx';
import { downloadText } from '../../lib/browser/download-text.ts';
import { useTranslation } from '../../lib/text/i18n.ts';
import { toast } from '../../lib/toasts.ts';
import type { MadeCodes } from './code-drawer.tsx';

/** The new codes, ready to copy. */
const MadeDialog = ({ made, onClose }: { readonly made: MadeCodes; readonly onClose: () => void }) => {
  const { t } = useTranslation('redemption');
  const { name, keys } = made;
  const text = keys.join('\n');
  const copyAll = async (): Promise<void> => {
    if (await copyText(text)) toast('ok', t('copied', { count: keys.length }));
  };
  const foot = (
    <>
      <Button icon={<IconDownload size={16} />} onClick={() => downloadText(`${name}.txt`, text)}>
        {t('made.download')}
      </Button>
      <Button variant="primary" data-autofocus onClick={() => void copyAll()}>
        {t('made.copy')}
      </Button>
    </>
  );
  return (
    <Dialog title={t('made.title', { count: keys.length })} onClose={onClose} foot={foot}>
      <p className="tone-muted">{t('made.about', { name: `${name}.txt` })}</p>
      <ul className="code-made">
        {keys.map((key) => (
          <li key={key}>
            <Copy value={key} mono />
          </li>
        ))}
      </ul>
    </Dialog>
  );
};

export default MadeDialog;
