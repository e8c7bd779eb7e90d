import './wechat-login.css';
import { useNavigate } from '@tanstack/react-router';
import { useState, type SyntheticEvent } from 'react';
import { wechatLogin } from '#contract/api/people/oauth.ts';
import { call } from '../lib/server/api.ts';
import { useTranslation } from '../lib/text/i18n.ts';
import { startSession } from '../lib/session/session.ts';
import { useSiteStatus } from '../lib/server/site-status.ts';
import { toast } from '../lib/toasts.ts';
import { useSubmit } from '../lib/server/use-submit.ts';
import { Button } from '../kit/button.tsx';
import { Dialog } from '../kit/dialogs/dialog.tsx';
import { TextField } from '../kit/fields/text-field.tsx';
import { Notice } from '../kit/states.tsx';

interface WechatLoginProps {
  readonly inviteCode: string | undefined;
  readonly onClose: () => void;
}

/** Sign-in with WeChat: scan, ask the account for a code, enter it here. */
const WechatLogin = ({ inviteCode, onClose }: WechatLoginProps) => {
  const { t } = useTranslation('enter');
  const { t: say } = useTranslation();
  const navigate = useNavigate();
  const picture = useSiteStatus()?.wechat_qrcode ?? '';
  const [code, setCode] = useState('');
  const { submit, isBusy, problem } = useSubmit();
  const enter = async (): Promise<void> => {
    const entered = await call(wechatLogin, { query: { code: code.trim(), aff: inviteCode } });
    if ('require_2fa' in entered) {
      await navigate({ to: '/login', search: { ticket: entered.ticket } });
      return;
    }
    startSession(entered);
    toast('ok', say('thirdParty.success'));
    await navigate({ to: '/' });
  };
  const send = (event: SyntheticEvent): void => {
    event.preventDefault();
    if (code.trim() !== '') submit(enter);
  };
  return (
    <Dialog title={t('wechat.title')} width={420} onClose={onClose} losesNothing>
      <form className="wechat-login" noValidate onSubmit={send}>
        {problem !== undefined && <Notice tone="bad">{problem}</Notice>}
        {picture !== '' && <img src={picture} alt={t('wechat.qr')} />}
        <p>{t('wechat.about')}</p>
        <TextField label={t('code.label')} autoFocus value={code} onChange={setCode} />
        <Button type="submit" variant="primary" wide busy={isBusy} disabled={code.trim() === ''}>
          {t('wechat.submit')}
        </Button>
      </form>
    </Dialog>
  );
};

export default WechatLogin;
