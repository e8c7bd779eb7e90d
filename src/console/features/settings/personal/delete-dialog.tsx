import { useNavigate } from '@tanstack/react-router';
import { useState, type SyntheticEvent } from 'react';
import { deleteSelf } from '#contract/api/people/personal.ts';
import { Button } from '../../../kit/button.tsx';
import { Dialog } from '../../../kit/dialogs/dialog.tsx';
import { TextField } from '../../../kit/fields/text-field.tsx';
import { Notice } from '../../../kit/states.tsx';
import { call } from '../../../lib/server/api.ts';
import { useTranslation } from '../../../lib/text/i18n.ts';
import { formatQuota } from '../../../lib/text/format.ts';
import { endSession } from '../../../lib/session/session.ts';
import { toast } from '../../../lib/toasts.ts';
import { useSubmit } from '../../../lib/server/use-submit.ts';
import type { Self } from './use-self.ts';

/** Deletes the own account; requires typing the username. */
const DeleteDialog = ({ self, onClose }: { readonly self: Self; readonly onClose: () => void }) => {
  const { t } = useTranslation('personal');
  const navigate = useNavigate();
  const [typed, setTyped] = useState('');
  const { submit, isBusy, problem, at } = useSubmit(['username']);
  const units = self.quota + self.aff_quota;
  const leave = async (): Promise<void> => {
    await call(deleteSelf, { query: { username: typed } });
    toast('ok', t('delete.done'));
    endSession();
    await navigate({ to: '/login', ignoreBlocker: true });
  };
  const send = (event: SyntheticEvent): void => {
    event.preventDefault();
    if (typed === self.username) submit(leave);
  };
  return (
    <Dialog title={t('delete.title')} width={460} onClose={onClose} losesNothing>
      <form className="personal-form" noValidate onSubmit={send}>
        {problem !== undefined && <Notice tone="bad">{problem}</Notice>}
        <Notice tone="warn">
          {units > 0 ? t('delete.warningMoney', { amount: formatQuota(units) }) : t('delete.warning')}
        </Notice>
        <TextField
          label={t('delete.type', { name: self.username })}
          autoFocus
          value={typed}
          error={at('username')}
          onChange={setTyped}
        />
        <div className="personal-actions">
          <Button type="submit" variant="danger" busy={isBusy} disabled={typed !== self.username}>
            {t('delete.submit')}
          </Button>
        </div>
      </form>
    </Dialog>
  );
};

export default DeleteDialog;
