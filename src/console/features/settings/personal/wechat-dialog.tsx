import { useState, type SyntheticEvent } from 'react';
import { wechatBind } from '#contract/api/people/oauth.ts';
import { Button } from '../../../kit/button.tsx';
import { Dialog } from '../../../kit/dialogs/dialog.tsx';
import { TextField } from '../../../kit/fields/text-field.tsx';
import { Notice } from '../../../kit/states.tsx';
import { call } from '../../../lib/server/api.ts';
import { refusalOf } from '../../../lib/server/refusal-of.ts';
import { useTranslation } from '../../../lib/text/i18n.ts';
import { useAction } from '../../../lib/server/query.ts';
import { useSiteStatus } from '../../../lib/server/site-status.ts';
import { SELF } from './use-self.ts';

/** The operator's WeChat account answers a keyword with a code, which proves who the user is. */
const WechatDialog = ({ onClose }: { readonly onClose: () => void }) => {
  const { t } = useTranslation('personal');
  const picture = useSiteStatus()?.wechat_qrcode ?? '';
  const [code, setCode] = useState('');
  const save = useAction({
    run: () => call(wechatBind, { query: { code: code.trim() } }),
    done: t('wechat.done'),
    refresh: [SELF],
    quiet: true,
  });
  const refusal = refusalOf(save.error, ['code']);
  const send = (event: SyntheticEvent): void => {
    event.preventDefault();
    if (code.trim() !== '') save.mutate(undefined, { onSuccess: onClose });
  };
  return (
    <Dialog title={t('wechat.title')} width={420} onClose={onClose} losesNothing>
      <form className="personal-form" noValidate onSubmit={send}>
        {refusal.above !== undefined && <Notice tone="bad">{refusal.above}</Notice>}
        <div className="personal-qr">
          {picture !== '' && <img src={picture} alt={t('wechat.qr')} />}
          <p>{t('wechat.about')}</p>
        </div>
        <TextField
          label={t('wechat.code')}
          autoFocus
          value={code}
          error={refusal.at('code')}
          onChange={setCode}
        />
        <div className="personal-actions">
          <Button type="submit" variant="primary" busy={save.isPending} disabled={code.trim() === ''}>
            {t('bind.bind')}
          </Button>
        </div>
      </form>
    </Dialog>
  );
};

export default WechatDialog;
