import { useState, type SyntheticEvent } from 'react';
import { updateSelf } from '#contract/api/people/session.ts';
import { PASSWORD_MIN_LENGTH } from '#contract/limits.ts';
import { Button } from '../../../kit/button.tsx';
import { Dialog } from '../../../kit/dialogs/dialog.tsx';
import { TextField } from '../../../kit/fields/text-field.tsx';
import { Notice } from '../../../kit/states.tsx';
import { call } from '../../../lib/server/api.ts';
import { queryClient } from '../../../lib/server/query.ts';
import { useTranslation } from '../../../lib/text/i18n.ts';
import { toast } from '../../../lib/toasts.ts';
import { useSubmit } from '../../../lib/server/use-submit.ts';
import { SESSIONS } from './sessions-panel.tsx';
import { SELF, type Self } from './use-self.ts';

const FIELDS = ['original_password', 'password', 'password2'];

/** A new password, typed twice; every other session ends with it. */
const PasswordDialog = ({ self, onClose }: { readonly self: Self; readonly onClose: () => void }) => {
  const { t } = useTranslation('personal');
  const [old, setOld] = useState('');
  const [next, setNext] = useState('');
  const [again, setAgain] = useState('');
  const { submit, isBusy, problem, refuse, at } = useSubmit(FIELDS);
  const change = async (): Promise<void> => {
    await call(updateSelf, {
      body: { password: next, ...(self.has_password ? { original_password: old } : {}) },
    });
    toast('ok', t('password.done'));
    onClose();
    // There is an old one from now on, and no other session.
    await Promise.all([SELF, SESSIONS].map((name) => queryClient.invalidateQueries({ queryKey: [name] })));
  };
  const send = (event: SyntheticEvent): void => {
    event.preventDefault();
    if (next.length < PASSWORD_MIN_LENGTH) refuse('password', t('password.short'));
    else if (next === again) submit(change);
    else refuse('password2', t('password.different'));
  };
  return (
    <Dialog title={t('password.title')} width={460} onClose={onClose}>
      <form className="personal-form" noValidate onSubmit={send}>
        {problem !== undefined && <Notice tone="bad">{problem}</Notice>}
        {self.has_password && (
          <TextField
            label={t('password.old')}
            type="password"
            autoComplete="current-password"
            autoFocus
            value={old}
            error={at('original_password')}
            onChange={setOld}
          />
        )}
        <TextField
          label={t('password.new')}
          hint={t('password.newHint')}
          type="password"
          autoComplete="new-password"
          value={next}
          error={at('password')}
          onChange={setNext}
        />
        <TextField
          label={t('password.again')}
          type="password"
          autoComplete="new-password"
          value={again}
          error={at('password2')}
          onChange={setAgain}
        />
        <div className="personal-actions">
          <Button type="submit" variant="primary" busy={isBusy}>
            {t('password.submit')}
          </Button>
        </div>
      </form>
    </Dialog>
  );
};

export default PasswordDialog;
