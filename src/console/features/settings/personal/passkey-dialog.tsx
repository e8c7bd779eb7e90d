import { useState, type SyntheticEvent } from 'react';
import { renamePasskey } from '#contract/api/people/passkeys.ts';
import { PASSKEY_NAME_MAX_LENGTH } from '#contract/limits.ts';
import { Button } from '../../../kit/button.tsx';
import { Dialog } from '../../../kit/dialogs/dialog.tsx';
import { TextField } from '../../../kit/fields/text-field.tsx';
import { Notice } from '../../../kit/states.tsx';
import { call } from '../../../lib/server/api.ts';
import { useTranslation } from '../../../lib/text/i18n.ts';
import { makePasskey } from '../../../lib/session/passkey.ts';
import { queryClient } from '../../../lib/server/query.ts';
import { toast } from '../../../lib/toasts.ts';
import { useSubmit } from '../../../lib/server/use-submit.ts';
import { browserOf } from './sessions-panel.tsx';
import { type Passkey, PASSKEYS } from './use-passkeys.ts';

interface PasskeyDialogProps {
  readonly passkey: Passkey | 'new';
  readonly onClose: () => void;
}

/** Names an existing passkey, or one that the device creates next. */
const PasskeyDialog = ({ passkey, onClose }: PasskeyDialogProps) => {
  const { t } = useTranslation('personal');
  const isNew = passkey === 'new';
  const [name, setName] = useState(isNew ? browserOf(navigator.userAgent) : passkey.name);
  const { submit, isBusy, problem } = useSubmit();
  const save = async (): Promise<void> => {
    if (isNew) await makePasskey(name.trim());
    else await call(renamePasskey, { params: { id: passkey.id }, body: { name: name.trim() } });
    await queryClient.invalidateQueries({ queryKey: [PASSKEYS] });
    toast('ok', t(isNew ? 'passkeys.added' : 'passkeys.renamed'));
    onClose();
  };
  const send = (event: SyntheticEvent): void => {
    event.preventDefault();
    if (name.trim() !== '') submit(save);
  };
  return (
    <Dialog title={t(isNew ? 'passkeys.add' : 'passkeys.rename')} width={460} onClose={onClose}>
      <form className="personal-form" noValidate onSubmit={send}>
        {problem !== undefined && <Notice tone="bad">{problem}</Notice>}
        {isNew && <p className="personal-note">{t('passkeys.addAbout')}</p>}
        <TextField
          label={t('passkeys.name')}
          hint={isNew ? t('passkeys.nameHint') : undefined}
          maxLength={PASSKEY_NAME_MAX_LENGTH}
          autoFocus
          value={name}
          onChange={setName}
        />
        <div className="personal-actions">
          <Button type="submit" variant="primary" busy={isBusy} disabled={name.trim() === ''}>
            {t(isNew ? 'passkeys.continue' : 'passkeys.save')}
          </Button>
        </div>
      </form>
    </Dialog>
  );
};

export default PasskeyDialog;
