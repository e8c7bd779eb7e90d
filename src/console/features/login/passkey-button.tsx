import { IconFingerprint } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useEffectEvent } from 'react';
import { finishPasskeyLogin } from '#contract/api/people/passkeys.ts';
import { Button } from '../../kit/button.tsx';
import { Notice } from '../../kit/states.tsx';
import { call } from '../../lib/server/api.ts';
import { useTranslation } from '../../lib/text/i18n.ts';
import { endOffer, offerPasskey, provePasskey } from '../../lib/session/passkey.ts';
import { hasPasskeyHere, rememberPasskey } from '../../lib/session/passkey-here.ts';
import { startSession } from '../../lib/session/session.ts';
import { toast } from '../../lib/toasts.ts';
import { useSubmit } from '../../lib/server/use-submit.ts';

/** A challenge from the server is valid for five minutes. */
const OFFER_AGAIN_MS = 270_000;

/**
 * Signs in with a passkey, by the button or from the name field's suggestions; no password and no second step.
 */
const PasskeyButton = ({ returnTo }: { readonly returnTo: string }) => {
  const { t } = useTranslation('front');
  const navigate = useNavigate();
  const { submit, isBusy, problem } = useSubmit();
  const signIn = async (proven: ReturnType<typeof provePasskey>): Promise<void> => {
    const user = await call(finishPasskeyLogin, { body: { credential: await proven } });
    rememberPasskey();
    startSession(user);
    toast('ok', t('login.success'));
    await navigate({ href: returnTo });
  };
  const offer = useEffectEvent(async (): Promise<void> => {
    const chosen = await offerPasskey();
    if (chosen !== undefined) submit(() => signIn(Promise.resolve(chosen)));
  });
  useEffect(() => {
    let timer: ReturnType<typeof setInterval> | undefined;
    const offerNow = (): void => {
      timer ??= setInterval(() => document.visibilityState === 'visible' && offerNow(), OFFER_AGAIN_MS);
      void offer();
    };
    // Each offer needs a challenge from the server. Unless a passkey was used here before, it is requested only when
    // the form is touched.
    const off = new AbortController();
    const touched = ({ target }: Event): void => {
      if (!(target instanceof HTMLInputElement)) return;
      off.abort();
      offerNow();
    };
    // The name has the focus from the start.
    const kinds = hasPasskeyHere() ? [] : ['focusin', 'pointerdown', 'keydown'];
    if (kinds.length === 0) offerNow();
    for (const kind of kinds) document.addEventListener(kind, touched, { signal: off.signal });
    return () => {
      clearInterval(timer);
      off.abort();
      endOffer();
    };
  }, []);
  return (
    <>
      {problem !== undefined && <Notice tone="bad">{problem}</Notice>}
      <Button
        wide
        busy={isBusy}
        icon={<IconFingerprint size={18} />}
        onClick={() => submit(() => signIn(provePasskey()))}
      >
        {t('login.passkey')}
      </Button>
    </>
  );
};

export default PasskeyButton;
