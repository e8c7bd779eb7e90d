import { useState, type SyntheticEvent } from 'react';
import { finishLogin } from '#contract/api/people/second-factor.ts';
import { Button } from '../../kit/button.tsx';
import { TextField } from '../../kit/fields/text-field.tsx';
import { Notice } from '../../kit/states.tsx';
import { call } from '../../lib/server/api.ts';
import { useTranslation } from '../../lib/text/i18n.ts';
import type { SessionUser } from '../../lib/session/session.ts';
import { useSubmit } from '../../lib/server/use-submit.ts';

interface SecondStepProps {
  /** The ticket from the first step. */
  readonly ticket: string;
  readonly onEntered: (user: SessionUser) => Promise<void>;
  readonly onBack: () => void;
}

/** Asks for the authenticator's code or a backup code. */
const SecondStep = ({ ticket, onEntered, onBack }: SecondStepProps) => {
  const { t } = useTranslation('front');
  const [code, setCode] = useState('');
  const { submit, isBusy, problem, at } = useSubmit(['code']);
  const send = (event: SyntheticEvent): void => {
    event.preventDefault();
    if (code.trim() !== '')
      submit(async () => onEntered(await call(finishLogin, { body: { ticket, code: code.trim() } })));
  };
  return (
    <form className="card-form" noValidate onSubmit={send}>
      {problem !== undefined && <Notice tone="bad">{problem}</Notice>}
      <TextField
        label={t('login.code')}
        hint={t('login.codeHint')}
        name="code"
        autoComplete="one-time-code"
        autoFocus
        value={code}
        error={at('code')}
        onChange={setCode}
      />
      <Button variant="primary" size="large" type="submit" wide busy={isBusy}>
        {t('login.submit')}
      </Button>
      <Button variant="plain" wide onClick={onBack}>
        {t('login.back')}
      </Button>
    </form>
  );
};

export default SecondStep;
