import { Link, useNavigate, useRouter, useSearch, type AnyRouter } from '@tanstack/react-router';
import { lazy, Suspense, useEffect } from 'react';
import { useTranslation } from '../../lib/text/i18n.ts';
import { serviceNames, signInServices } from '#contract/sign-in-services.ts';
import { Notice } from '../../kit/states.tsx';
import { passkeysWork } from '../../lib/session/passkey-here.ts';
import { onRebuild, sessionUser, type SessionUser, startSession } from '../../lib/session/session.ts';
import { mayRegister, useSiteStatus, type SiteStatus } from '../../lib/server/site-status.ts';
import { toast } from '../../lib/toasts.ts';
import type { UrlState } from '../../lib/browser/url-state.ts';
import { landingPath } from '../../routes.ts';
import { useSystemName } from '../../shell/frames/logo.tsx';
import { isDefaultPassword } from './default-passwords.ts';
import { LoginForm } from './login-form.tsx';
import { safeReturn } from './safe-return.ts';

// Loaded after the form: most sites have no other way to sign in.
const ThirdParty = lazy(() =>
  import('../../shared/third-party.tsx').then((file) => ({ default: file.ThirdParty })),
);

const PasskeyButton = lazy(() => import('./passkey-button.tsx'));

const LoginPage = () => {
  const { t } = useTranslation('front');
  const status = useSiteStatus();
  const site = useSystemName();
  const search = useSearch({ strict: false }) as UrlState;
  const returnTo = safeReturn(search['redirect']) ?? landingPath('/token');
  const navigate = useNavigate();
  const router = useRouter<AnyRouter>();
  // Whoever has signed in in another window, at a service for example, need not do so here.
  useEffect(
    () =>
      onRebuild(() => {
        if (sessionUser() !== undefined) void navigate({ href: returnTo });
      }),
    [navigate, returnTo],
  );
  const enter = async (user: SessionUser, password: string): Promise<void> => {
    startSession(user);
    if (isDefaultPassword(password)) toast('bad', t('login.defaultPassword'));
    else toast('ok', t('login.success'));
    await navigate({ href: returnTo });
  };
  // The next page is loaded while the password is typed; if that fails, it is loaded when it opens.
  const prepare = (): void => {
    const next = router.routesByPath[returnTo.split('?')[0] ?? ''];
    for (const route of [next?.parentRoute, next]) {
      if (route !== undefined) void Promise.resolve(router.loadRouteChunk(route)).catch(() => undefined);
    }
  };
  const hasPasskeys = status?.passkey_login === true && passkeysWork();
  const ways = waysOf(status) + Number(hasPasskeys);
  return (
    <>
      <h1>{t('login.title')}</h1>
      <p className="card-about">{t('login.about', { name: site })}</p>
      {status?.setup === false && <Notice tone="warn">{t('home.needsSetup')}</Notice>}
      {status?.password_login_enabled === false && <Notice tone="info">{t('login.off')}</Notice>}
      <LoginForm
        ticket={search['ticket']}
        notice={search['expired'] === 'true' && <Notice tone="warn">{t('login.expired')}</Notice>}
        onEntered={enter}
        onTouched={prepare}
      >
        {ways > 0 && (
          <Suspense fallback={<WaysToCome count={ways} />}>
            <ThirdParty
              inviteCode={search['aff']}
              own={hasPasskeys ? <PasskeyButton returnTo={returnTo} /> : undefined}
            />
          </Suspense>
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
      </LoginForm>
    </>
  );
};

const waysOf = (status: SiteStatus | undefined): number =>
  serviceNames.filter((name) => status?.[signInServices[name].status] === true).length;

/** Reserves the space of parts that load later, so that buttons do not move. */
const WaysToCome = ({ count }: { readonly count: number }) => (
  <div className="third-party third-party-wait" aria-hidden>
    <p className="third-party-or">&nbsp;</p>
    {Array.from({ length: count }, (_, at) => (
      <span key={at} className="button button-wide" />
    ))}
  </div>
);

const keepInvite = ({ aff }: UrlState): UrlState => (aff === undefined ? {} : { aff });

export default LoginPage;
