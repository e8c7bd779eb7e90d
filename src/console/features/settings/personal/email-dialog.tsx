import { useState, type SyntheticEvent } from 'react';
import { bindEmail } from '#contract/api/people/personal.ts';
import { Button } from '../../../kit/button.tsx';
import { CodeField } from '../../../shared/code-field.tsx';
import { useHumanCheck } from '../../../shared/human-check.tsx';
import { Dialog } from '../../../kit/dialogs/dialog.tsx';
import { TextField } from '../../../kit/fields/text-field.tsx';
import { Notice } from '../../../kit/states.tsx';
import { call } from '../../../lib/server/api.ts';
import { refusalOf } from '../../../lib/server/refusal-of.ts';
import { useTranslation } from '../../../lib/text/i18n.ts';
import { useAction } from '../../../lib/server/query.ts';
import { SELF } from './use-self.ts';

/** Binds an e-mail address to the account, confirmed by a code. */
const EmailDialog = ({ onClose }: { readonly onClose: () => void }) => {
  const { t } = useTranslation('personal');
  const [email, setEmail] = useState('');
  const [code, setCode] = useState('');
  const human = useHumanCheck();
  const save = useAction({
    run: () => call(bindEmail, { query: { email: email.trim(), code: code.trim() } }),
    done: t('email.done'),
    refresh: [SELF],
    quiet: true,
  });
  const refusal = refusalOf(save.error, ['email', 'verification_code']);
  const send = (event: SyntheticEvent): void => {
    event.preventDefault();
    if (email !== '' && code !== '') save.mutate(undefined, { onSuccess: onClose });
  };
  return (
    <Dialog title={t('email.title')} width={460} onClose={onClose}>
      <form className="personal-form" noValidate onSubmit={send}>
        {refusal.above !== undefined && <Notice tone="bad">{refusal.above}</Notice>}
        <TextField
          label={t('email.address')}
          type="email"
          autoComplete="email"
          autoFocus
          value={email}
          error={refusal.at('email')}
          onChange={setEmail}
        />
        <CodeField
          email={email}
          value={code}
          error={refusal.at('verification_code')}
          onChange={setCode}
          human={human}
        />
        {human.widget}
        <div className="personal-actions">
          <Button
            type="submit"
            variant="primary"
            busy={save.isPending}
            disabled={email === '' || code === ''}
          >
            {t('email.submit')}
          </Button>
        </div>
      </form>
    </Dialog>
  );
};

export default EmailDialog;
