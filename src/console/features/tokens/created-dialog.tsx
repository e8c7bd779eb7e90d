import { IconDownload, IconPlugConnected } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { Button } from '../../kit/button.tsx';
import { Copy, copyText } from '../../kit/copy.tsx';
import { Dialog } from '../../kit/dialogs/dialog.tsx';
import { downloadText } from '../../lib/browser/download-text.ts';
import { useTranslation } from '../../lib/text/i18n.ts';
import { toast } from '../../lib/toasts.ts';
import { keyLines, keyOf, type Token } from './token.ts';

interface CreatedDialogProps {
  readonly tokens: readonly Token[];
  readonly onClose: () => void;
}

/** The new keys, to copy or to set up a program with. */
const CreatedDialog = ({ tokens, onClose }: CreatedDialogProps) => {
  const { t } = useTranslation('tokens');
  const { t: say } = useTranslation();
  const [first] = tokens;
  const isOne = tokens.length === 1;
  const lines = isOne && first !== undefined ? keyOf(first) : keyLines(tokens);
  const copyAll = async (): Promise<void> => {
    if (await copyText(lines)) toast('ok', t('batch.copied', { count: tokens.length }));
  };
  const foot = (
    <>
      {isOne && first !== undefined ? (
        <Link to="/connect" search={{ token: String(first.id) }} className="button">
          <IconPlugConnected size={16} />
          <span>{say('action.connect')}</span>
        </Link>
      ) : (
        <Button
          icon={<IconDownload size={16} />}
          onClick={() => downloadText(`${first?.name ?? 'tokens'}.txt`, keyLines(tokens))}
        >
          {t('created.download')}
        </Button>
      )}
      <Button variant="primary" data-autofocus onClick={() => void copyAll()}>
        {isOne ? t('action.copyKey') : t('created.copyAll')}
      </Button>
    </>
  );
  return (
    <Dialog
      title={isOne ? t('created.title') : t('created.titleMany', { count: tokens.length })}
      width={720}
      onClose={onClose}
      foot={foot}
    >
      <p className="tone-muted">{t('created.about')}</p>
      <ul className="token-made">
        {tokens.map((token) => (
          <li key={token.id}>
            <span className="truncate" data-tip={token.name}>
              {token.name}
            </span>
            <Copy
              value={keyOf(token)}
              mono
              label={`${t('key.copy', { name: token.name })}: ${keyOf(token)}`}
            />
          </li>
        ))}
      </ul>
    </Dialog>
  );
};

export default CreatedDialog;
