import { Link, useSearch } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { resetPassword } from '#contract/api/people/password-reset.ts';
import { Button } from '../../kit/button.tsx';
import { Copy } from '../../kit/copy.tsx';
import { TextField } from '../../kit/fields/text-field.tsx';
import { Notice } from '../../kit/states.tsx';
import { call } from '../../lib/server/api.ts';
import { useTranslation } from '../../lib/text/i18n.ts';
import type { UrlState } from '../../lib/browser/url-state.ts';
import { useSubmit } from '../../lib/server/use-submit.ts';

/** The target of the mailed link: one click creates the new password, another copies it. */
const NewPasswordPage = () => {
  const { t } = useTranslation('reset');
  const search = useSearch({ strict: false }) as UrlState;
  // Read once: the token is then removed from the address, so that it stays in no history.
  const [{ email = '', token = '' }] = useState(search);
  const [password, setPassword] = useState<string>();
  const { submit, isBusy, problem } = useSubmit();
  useEffect(() => history.replaceState(history.state, '', location.pathname), []);

  const confirm = (): void =>
    submit(async () => setPassword(await call(resetPassword, { body: { email, token } })));
  const isComplete = email !== '' && token !== '';
  return (
    <>
      <h1>{t('confirm.title')}</h1>
      {isComplete && <p className="card-about">{t('confirm.about')}</p>}
      <div className="card-form">
        {problem !== undefined && <Notice tone="bad">{problem}</Notice>}
        {!isComplete ? (
          <>
            <Notice tone="warn">{t('confirm.broken')}</Notice>
            <Link to="/reset" className="button button-primary button-large button-wide">
              {t('confirm.again')}
            </Link>
          </>
        ) : password === undefined ? (
          <>
            <TextField label={t('email')} value={email} onChange={() => undefined} disabled />
            <Button variant="primary" size="large" wide busy={isBusy} onClick={confirm}>
              {t('confirm.submit')}
            </Button>
          </>
        ) : (
          <>
            <Notice tone="info">{t('confirm.done')}</Notice>
            <div className="field">
              <span className="field-label">{t('confirm.password')}</span>
              <Copy value={password} mono label={t('confirm.copy')} />
            </div>
          </>
        )}
      </div>
      <p className="card-foot-line">
        <Link to="/login">{t('toLogin')}</Link>
      </p>
    </>
  );
};

export default NewPasswordPage;
