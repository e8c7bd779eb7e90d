import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState, type SyntheticEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { register } from '#contract/api/session.ts';
import { USERNAME_MAX_LENGTH } from '#contract/limits.ts';
import { Button } from '../../kit/button.tsx';
import { TextField } from '../../kit/fields/text-field.tsx';
import { Notice } from '../../kit/states.tsx';
import { call } from '../../lib/api.ts';
import { useAction } from '../../lib/query.ts';
import { mayRegister, useSiteStatus } from '../../lib/site-status.ts';
import type { UrlState } from '../../lib/url-state.ts';
import { accountProblem, type NewAccount } from '../../lib/new-account.ts';

const RegisterPage = () => {
  const { t } = useTranslation('front');
  const status = useSiteStatus();
  return (
    <>
      <h1>{t('register.title')}</h1>
      {status !== undefined && !mayRegister(status) ? <Notice tone="info">{t('register.off')}</Notice> : <RegisterForm />}
      <p className="card-foot-line">{t('register.hasAccount')} <Link to="/login">{t('register.toLogin')}</Link></p>
    </>
  );
};

const RegisterForm = () => {
  const { t } = useTranslation('front');
  const navigate = useNavigate();
  const { aff } = useSearch({ strict: false }) as UrlState;
  const [account, setAccount] = useState<NewAccount>({ username: '', password: '', confirmed: '' });
  const [isTried, setTried] = useState(false);
  const change = (part: Partial<NewAccount>): void => setAccount((before) => ({ ...before, ...part }));
  const create = useAction({
    run: ({ username, password, confirmed }: NewAccount) => call(register, {
      body: { username, password, password2: confirmed, ...(aff === undefined ? {} : { aff_code: aff }) },
    }),
    done: t('register.success'),
    quiet: true,
  });
  const problem = accountProblem(account);

  const submit = async (event: SyntheticEvent): Promise<void> => {
    event.preventDefault();
    setTried(true);
    if (problem !== undefined) return;
    await create.mutateAsync(account);
    await navigate({ to: '/login' });
  };
  const said = isTried && problem !== undefined ? t(`register.${problem}`) : create.error?.message;
  return (
    <form className="card-form" noValidate onSubmit={(event) => void submit(event).catch(() => undefined)}>
      {said !== undefined && <Notice tone="bad">{said}</Notice>}
      <TextField
        label={t('register.username')}
        hint={t('register.usernameHint')}
        name="username"
        autoComplete="username"
        maxLength={USERNAME_MAX_LENGTH}
        value={account.username}
        onChange={(username) => change({ username })}
      />
      <TextField
        label={t('register.password')}
        hint={t('register.passwordHint')}
        name="password"
        type="password"
        autoComplete="new-password"
        value={account.password}
        onChange={(password) => change({ password })}
      />
      <TextField
        label={t('register.confirm')}
        name="password2"
        type="password"
        autoComplete="new-password"
        value={account.confirmed}
        onChange={(confirmed) => change({ confirmed })}
      />
      <Button variant="primary" size="large" type="submit" wide busy={create.isPending}>{t('register.submit')}</Button>
    </form>
  );
};

export default RegisterPage;
