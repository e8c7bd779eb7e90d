import { useState } from 'react';
import { sendTestMail } from '#contract/api/site/options.ts';
import { Button } from '../../kit/button.tsx';
import { Dialog } from '../../kit/dialogs/dialog.tsx';
import { TextField } from '../../kit/fields/text-field.tsx';
import { Notice } from '../../kit/states.tsx';
import { call } from '../../lib/server/api.ts';
import { useTranslation } from '../../lib/text/i18n.ts';
import { toast } from '../../lib/toasts.ts';
import { useSubmit } from '../../lib/server/use-submit.ts';

interface TestMailDialogProps {
  /** Settings of the mail server are unsaved: the test uses the saved ones. */
  readonly isUnsaved: boolean;
  readonly onClose: () => void;
}

/** Sends a mail with the saved settings, and shows the mail server's reply if it refuses. */
const TestMailDialog = ({ isUnsaved, onClose }: TestMailDialogProps) => {
  const { t } = useTranslation('settings');
  const [to, setTo] = useState('');
  const { submit, isBusy, problem, at } = useSubmit(['to']);
  const send = (): void =>
    submit(async () => {
      await call(sendTestMail, { body: { to: to.trim() } });
      toast('ok', t('testMail.sent'));
      onClose();
    });
  return (
    <Dialog
      title={t('testMail.title')}
      width={460}
      onClose={onClose}
      foot={
        <Button variant="primary" busy={isBusy} onClick={send}>
          {t('testMail.send')}
        </Button>
      }
    >
      <form
        className="setting-wide"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          send();
        }}
      >
        {isUnsaved && <Notice tone="warn">{t('testMail.unsaved')}</Notice>}
        {problem !== undefined && <Notice tone="bad">{problem}</Notice>}
        <TextField
          label={t('testMail.to')}
          hint={t('testMail.toHint')}
          type="email"
          autoComplete="email"
          autoFocus
          value={to}
          error={at('to')}
          onChange={setTo}
        />
      </form>
    </Dialog>
  );
};

export default TestMailDialog;
