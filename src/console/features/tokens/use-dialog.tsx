import { IconEye, IconEyeOff } from '@tabler/icons-react';
import { useState } from 'react';
import { IconButton } from '../../kit/button.tsx';
import { Copy } from '../../kit/copy.tsx';
import { Dialog } from '../../kit/dialogs/dialog.tsx';
import { Segmented } from '../../kit/segmented.tsx';
import { maskKey } from '../../lib/text/format.ts';
import { useTranslation } from '../../lib/text/i18n.ts';
import { apiAddress, snippetKinds, snippets, type SnippetKind } from './snippets.ts';
import { keyOf, type Token } from './token.ts';

/** How programs call the API with this token. The key is masked until asked for; copying takes the whole key. */
const UseDialog = ({ token, onClose }: { readonly token: Token; readonly onClose: () => void }) => {
  const { t } = useTranslation('tokens');
  const [kind, setKind] = useState<SnippetKind>('curl');
  const [isShown, setShown] = useState(false);
  const text = snippets[kind](token);
  const key = keyOf(token);
  return (
    <Dialog title={t('use.title', { name: token.name })} onClose={onClose}>
      <p className="tone-muted">{t('use.about')}</p>
      <dl className="token-detail">
        <div>
          <dt>{t('use.address')}</dt>
          <dd>
            <Copy value={apiAddress()} mono />
          </dd>
        </div>
        <div>
          <dt>{t('use.key')}</dt>
          <dd>
            <Copy value={key} shown={maskKey(key)} mono label={`${t('action.copyKey')}: ${maskKey(key)}`} />
          </dd>
        </div>
      </dl>
      <Segmented
        label={t('use.tabs')}
        value={kind}
        onChange={setKind}
        options={snippetKinds.map((value) => ({ value, label: t(`use.${value}`) }))}
      />
      <div className="token-snippet">
        <pre className="mono" tabIndex={0} aria-label={t(`use.${kind}`)}>
          {isShown ? text : text.replaceAll(key, maskKey(key))}
        </pre>
        <IconButton
          label={t(isShown ? 'use.hideKey' : 'use.showKey')}
          pressed={isShown}
          onClick={() => setShown(!isShown)}
        >
          {isShown ? <IconEyeOff size={16} /> : <IconEye size={16} />}
        </IconButton>
        <Copy value={text} iconOnly label={t('use.copy')} />
      </div>
    </Dialog>
  );
};

export default UseDialog;
