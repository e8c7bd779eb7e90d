import { Link, useNavigate, useRouter, useSearch, type AnyRouter } from '@tanstack/react-router';
import { useState, type SyntheticEvent } from 'react';
import { useTranslation } from '../../lib/i18n.ts';
import { login } from '#contract/api/session.ts';
import { Button } from '../../kit/button.tsx';
import { TextField } from '../../kit/fields/text-field.tsx';
import { Notice } from '../../kit/states.tsx';
import { call } from '../../lib/api.ts';
import { startSession } from '../../lib/session.ts';
import { mayRegister, useSiteStatus } from '../../lib/site-status.ts';
import { toast } from '../../lib/toasts.ts';
import type { UrlState } from '../../lib/url-state.ts';
import { useSubmit } from '../../lib/use-submit.ts';
import { landingPath } from '../../routes.tsx';
import { useSystemName } from '../../shell/logo.tsx';
import { isDefaultPassword } from './default-passwords.ts';
import { safeReturn } from './safe-return.ts';

const LoginPage = () => {
  const { t } = useTranslation('front');
  const status = useSiteStatus();
  const site = useSystemName();
  const search = useSearch({ strict: false }) as UrlState;
  return (
    <>
      <h1>{t('login.title')}</h1>
      <p className="card-about">{t('login.about', { name: site })}</p>
      {search['expired'] === 'true' && <Notice tone="warn">{t('login.expired')}</Notice>}
      {status?.setup === false && <Notice tone="warn">{t('home.needsSetup')}</Notice>}
      {status?.password_login_enabled === false ? (
        <Notice tone="info">{t('login.off')}</Notice>
      ) : (
        <LoginForm returnTo={safeReturn(search['redirect']) ?? landingPath('/token')} />
      )}
      <p className="card-foot-line">
        <Link to="/reset">{t('login.forgot')}</Link>
      </p>
      {mayRegister(status) && (
        <p className="card-foot-line">
          {t('login.noAccount')}{' '}
          <Link to="/register" search={keepInvite(search)}>
            {t('login.toRegister')}
          </Link>
        </p>
      )}
    </>
  );
};

const LoginForm = ({ returnTo }: { readonly returnTo: string }) => {
  const { t } = useTranslation('front');
  const navigate = useNavigate();
  const router = useRouter<AnyRouter>();
  const [username, setUsername] = useState('');
  const [password, setPassword] = useState('');
  const { submit, isBusy, problem, setProblem } = useSubmit();

  const signIn = async (): Promise<void> => {
    const entered = await call(login, { body: { username: username.trim(), password } });
    if ('require_2fa' in entered) return;
    startSession(entered);
    if (isDefaultPassword(password)) toast('bad', t('login.defaultPassword'));
    else toast('ok', t('login.success'));
    await navigate({ href: returnTo });
  };
  const send = (event: SyntheticEvent): void => {
    event.preventDefault();
    if (username.trim() === '' || password === '') setProblem(t('login.required'));
    else submit(signIn);
  };
  // The next page loads while the password is typed; where that fails, it loads when it is opened.
  const prepare = (): void => {
    const next = router.routesByPath[returnTo.split('?')[0] ?? ''];
    for (const route of [next?.parentRoute, next]) {
      if (route !== undefined) void Promise.resolve(router.loadRouteChunk(route)).catch(() => undefined);
    }
  };
  return (
    <form className="card-form" noValidate onSubmit={send} onFocus={prepare}>
      {problem !== undefined && <Notice tone="bad">{problem}</Notice>}
      <TextField
        label={t('login.name')}
        name="username"
        autoComplete="username"
        value={username}
        onChange={setUsername}
      />
      <TextField
        label={t('login.password')}
        name="password"
        type="password"
        autoComplete="current-password"
        value={password}
        onChange={setPassword}
      />
      <Button variant="primary" size="large" type="submit" wide busy={isBusy}>
        {t('login.submit')}
      </Button>
    </form>
  );
};

const keepInvite = ({ aff }: UrlState): never => (aff === undefined ? {} : { aff }) as never;

export default LoginPage;
