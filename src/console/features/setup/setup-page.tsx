import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useRef, useState, type SyntheticEvent } from 'react';
import { useTranslation } from '../../lib/text/i18n.ts';
import { finishSetup } from '#contract/api/site/setup.ts';
import { USERNAME_MAX_LENGTH } from '#contract/limits.ts';
import { Button } from '../../kit/button.tsx';
import { SwitchField } from '../../kit/fields/switch-field.tsx';
import { TextField } from '../../kit/fields/text-field.tsx';
import { Notice } from '../../kit/states.tsx';
import { call } from '../../lib/server/api.ts';
import { accountProblem, fieldOf, type NewAccount } from '../../lib/session/new-account.ts';
import { startSession } from '../../lib/session/session.ts';
import { refreshSiteStatus, useSiteStatus } from '../../lib/server/site-status.ts';
import { toast } from '../../lib/toasts.ts';
import type { UrlState } from '../../lib/browser/url-state.ts';
import { useSubmit } from '../../lib/server/use-submit.ts';
import { landingPath } from '../../routes.ts';

const SetupPage = () => {
  const { t } = useTranslation('enter');
  const status = useSiteStatus();
  const isDone = status?.setup === true;
  return (
    <>
      <h1>{t('setup.title')}</h1>
      {!isDone && <p className="card-about">{t('setup.about')}</p>}
      {isDone ? (
        <>
          <Notice tone="info">{t('setup.done')}</Notice>
          <Link to="/login" className="button button-primary button-large button-wide">
            {t('setup.toLogin')}
          </Link>
        </>
      ) : (
        <SetupForm />
      )}
    </>
  );
};

const FIELDS = ['secret', 'username', 'password', 'password2'];

interface Setup extends NewAccount {
  readonly secret: string;
  readonly isSelfUse: boolean;
}

const SetupForm = () => {
  const { t } = useTranslation('enter');
  const navigate = useNavigate();
  const fromLink = (useSearch({ strict: false }) as UrlState)['secret'] ?? '';
  const [setup, setSetup] = useState<Setup>({
    username: '',
    password: '',
    confirmed: '',
    secret: fromLink,
    isSelfUse: false,
  });
  const { submit, isBusy, problem, refuse, at } = useSubmit(fromLink === '' ? FIELDS : FIELDS.slice(1));
  // The form has the focus, because the link was opened to fill it in.
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => form.current?.querySelector('input')?.focus(), []);
  const change = (part: Partial<Setup>): void => setSetup((before) => ({ ...before, ...part }));

  const finish = async (): Promise<void> => {
    const { username, password, confirmed, isSelfUse } = setup;
    const body = {
      secret: setup.secret.trim(),
      username,
      password,
      confirmPassword: confirmed,
      SelfUseModeEnabled: isSelfUse,
    };
    startSession(await call(finishSetup, { body }));
    await refreshSiteStatus();
    toast('ok', t('setup.success'));
    await navigate({ href: landingPath('') });
  };
  const send = (event: SyntheticEvent): void => {
    event.preventDefault();
    const wrong = accountProblem(setup);
    if (setup.secret.trim() === '') refuse('secret', t('setup.secretRequired'));
    else if (wrong === undefined) submit(finish);
    else refuse(fieldOf(wrong, setup), t(`register.${wrong}`));
  };
  return (
    <form ref={form} className="card-form" noValidate onSubmit={send}>
      {problem !== undefined && <Notice tone="bad">{problem}</Notice>}
      {fromLink === '' && (
        <TextField
          label={t('setup.secret')}
          hint={t('setup.secretHint')}
          mono
          value={setup.secret}
          error={at('secret')}
          onChange={(secret) => change({ secret })}
        />
      )}
      <TextField
        label={t('setup.username')}
        hint={t('register.usernameHint')}
        autoComplete="username"
        maxLength={USERNAME_MAX_LENGTH}
        value={setup.username}
        error={at('username')}
        onChange={(username) => change({ username })}
      />
      <TextField
        label={t('register.password')}
        hint={t('register.passwordHint')}
        type="password"
        autoComplete="new-password"
        value={setup.password}
        error={at('password')}
        onChange={(password) => change({ password })}
      />
      <TextField
        label={t('register.confirm')}
        type="password"
        autoComplete="new-password"
        value={setup.confirmed}
        error={at('password2')}
        onChange={(confirmed) => change({ confirmed })}
      />
      <SwitchField
        label={t('setup.selfUse')}
        hint={t('setup.selfUseHint')}
        checked={setup.isSelfUse}
        onChange={(isSelfUse) => change({ isSelfUse })}
      />
      <Button variant="primary" size="large" type="submit" wide busy={isBusy}>
        {t('setup.submit')}
      </Button>
    </form>
  );
};

export default SetupPage;
