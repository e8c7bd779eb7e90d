import { useState, type SyntheticEvent } from 'react';
import { confirmSelf } from '#contract/api/people/personal.ts';
import { call } from '../lib/server/api.ts';
import { useTranslation } from '../lib/text/i18n.ts';
import { hasPasskeyHere } from '../lib/session/passkey-here.ts';
import { useSubmit } from '../lib/server/use-submit.ts';
import { Button } from '../kit/button.tsx';
import { TextField } from '../kit/fields/text-field.tsx';
import { SmallDialog } from '../kit/dialogs/small-dialog.tsx';
import { Notice } from '../kit/states.tsx';

interface FreshDialogProps {
  readonly answer: (isProven: boolean) => void;
}

/** Asks for the password or a second-factor code before a dangerous action. Valid for ten minutes. */
const FreshDialog = ({ answer }: FreshDialogProps) => {
  const { t } = useTranslation('fresh');
  const { t: tCommon } = useTranslation();
  const [isCode, setCode] = useState(false);
  const [typed, setTyped] = useState('');
  const { submit, isBusy, problem, at } = useSubmit(['code', 'password', 'original_password']);
  const send = (event: SyntheticEvent): void => {
    event.preventDefault();
    submit(async () => {
      await call(confirmSelf, { body: isCode ? { code: typed } : { password: typed } });
      answer(true);
    });
  };
  const byPasskey = async (): Promise<void> => {
    const { provePasskey } = await import('../lib/session/passkey.ts');
    await call(confirmSelf, { body: { credential: await provePasskey() } });
    answer(true);
  };
  return (
    <SmallDialog label={t('title')} layer={450} onClose={() => answer(false)}>
      <form className="ask" onSubmit={send} noValidate>
        <h2>{t('title')}</h2>
        <p>{t('about')}</p>
        {problem !== undefined && <Notice tone="bad">{problem}</Notice>}
        <TextField
          key={String(isCode)}
          label={t(isCode ? 'code' : 'password')}
          type={isCode ? 'text' : 'password'}
          autoComplete={isCode ? 'one-time-code' : 'current-password'}
          value={typed}
          error={at(isCode ? 'code' : 'password') ?? at('original_password')}
          onChange={setTyped}
          autoFocus
        />
        <button
          type="button"
          className="link fresh-other"
          onClick={() => {
            setCode(!isCode);
            setTyped('');
          }}
        >
          {t(isCode ? 'usePassword' : 'useCode')}
        </button>
        {hasPasskeyHere() && (
          <button type="button" className="link fresh-other" onClick={() => submit(byPasskey)}>
            {t('usePasskey')}
          </button>
        )}
        <div className="ask-actions">
          <Button onClick={() => answer(false)}>{tCommon('action.cancel')}</Button>
          <Button type="submit" variant="primary" busy={isBusy} disabled={typed === ''}>
            {tCommon('action.confirm')}
          </Button>
        </div>
      </form>
    </SmallDialog>
  );
};

export default FreshDialog;
