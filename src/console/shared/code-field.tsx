import { useState } from 'react';
import { sendVerification } from '#contract/api/people/personal.ts';
import { call } from '../lib/server/api.ts';
import { messageOf } from '../lib/server/api-error.ts';
import { useTranslation } from '../lib/text/i18n.ts';
import { toast } from '../lib/toasts.ts';
import type { HumanCheck } from './human-check.tsx';
import { useResend } from './use-resend.ts';
import { Button } from '../kit/button.tsx';
import { TextField } from '../kit/fields/text-field.tsx';

interface CodeFieldProps {
  readonly email: string;
  readonly value: string;
  readonly error?: string | undefined;
  readonly onChange: (code: string) => void;
  /** The page's human check, whose answer goes with the code's request. */
  readonly human: Pick<HumanCheck, 'isOn' | 'take'>;
}

/** A field for a code sent by mail, with the button that sends it. */
export const CodeField = ({ email, value, error, onChange, human }: CodeFieldProps) => {
  const { t } = useTranslation('enter');
  const { locked, lock } = useResend();
  const [isBusy, setBusy] = useState(false);

  const send = async (): Promise<void> => {
    if (email.trim() === '') {
      toast('bad', t('code.emailNeeded'));
      return;
    }
    const answer = human.isOn ? human.take() : undefined;
    if (human.isOn && answer === undefined) {
      toast('bad', t('code.humanWaits'));
      return;
    }
    setBusy(true);
    try {
      await call(sendVerification, { query: { email: email.trim(), turnstile: answer } });
      toast('ok', t('code.sent'));
      lock();
    } catch (failure) {
      toast('bad', messageOf(failure));
    }
    setBusy(false);
  };
  return (
    <div className="code-field">
      <TextField
        label={t('code.label')}
        name="verification_code"
        autoComplete="one-time-code"
        value={value}
        error={error}
        onChange={onChange}
      />
      <Button busy={isBusy} disabled={locked > 0} onClick={() => void send()}>
        {locked > 0 ? t('code.again', { seconds: locked }) : t('code.send')}
      </Button>
    </div>
  );
};
