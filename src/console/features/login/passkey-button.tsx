import { IconFingerprint } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { finishPasskeyLogin } from '#contract/api/passkeys.ts';
import { Button } from '../../kit/button.tsx';
import { Notice } from '../../kit/states.tsx';
import { call } from '../../lib/api.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { provePasskey } from '../../lib/passkey.ts';
import { rememberPasskey } from '../../lib/passkey-here.ts';
import { startSession } from '../../lib/session.ts';
import { toast } from '../../lib/toasts.ts';
import { useSubmit } from '../../lib/use-submit.ts';

/** Signs in with a passkey of this device: no name, no password, no second step. */
const PasskeyButton = ({ returnTo }: { readonly returnTo: string }) => {
  const { t } = useTranslation('front');
  const navigate = useNavigate();
  const { submit, isBusy, problem } = useSubmit();
  const signIn = async (): Promise<void> => {
    const user = await call(finishPasskeyLogin, { body: { credential: await provePasskey() } });
    rememberPasskey();
    startSession(user);
    toast('ok', t('login.success'));
    await navigate({ href: returnTo });
  };
  return (
    <>
      {problem !== undefined && <Notice tone="bad">{problem}</Notice>}
      <Button wide busy={isBusy} icon={<IconFingerprint size={18} />} onClick={() => submit(signIn)}>
        {t('login.passkey')}
      </Button>
    </>
  );
};

export default PasskeyButton;
