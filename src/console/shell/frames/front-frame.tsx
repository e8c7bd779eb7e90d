import '../../styles/front.css';
import { Link, Outlet } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { useTranslation } from '../../lib/text/i18n.ts';
import { useSession } from '../../lib/session/session.ts';
import { mayRegister, useSiteStatus } from '../../lib/server/site-status.ts';
import { useIsPhone } from '../../lib/browser/media.ts';
import { Footer } from './footer.tsx';
import { Logo } from './logo.tsx';
import { NewYearEntry } from '../new-year/new-year-entry.tsx';
import { PageTitle } from './page-title.tsx';
import { Preferences } from '../menus/preferences.tsx';
import { TopLinks } from '../menus/top-links.tsx';

const LateButtons = lazy(() => import('../late-buttons.tsx'));
const UserMenu = lazy(() => import('../menus/user-menu.tsx'));
const FrontMenu = lazy(() => import('../menus/front-menu.tsx'));

/** The visitors' frame: name, links, sign-in. */
const FrontFrame = () => {
  const { t } = useTranslation();
  const isSignedIn = useSession() !== undefined;
  return (
    <div className="front">
      <PageTitle />
      <a className="skip" href="#content">
        {t('action.skipToContent')}
      </a>
      <header className="front-top">
        <Link to="/" className="front-logo">
          <Logo />
        </Link>
        {useIsPhone() ? (
          <>
            <Suspense>
              <FrontMenu />
            </Suspense>
            <NewYearEntry />
          </>
        ) : (
          <TopLinks />
        )}
        <span className="top-space" />
        <Suspense>
          <LateButtons hasPalette={false} />
        </Suspense>
        <Preferences />
        {isSignedIn ? (
          <Suspense fallback={<span className="avatar" />}>
            <UserMenu />
          </Suspense>
        ) : (
          <WayIn />
        )}
      </header>
      <main className="front-page" id="content" tabIndex={-1}>
        <Outlet />
      </main>
      <Footer />
    </div>
  );
};

/** Sign in and register, for visitors; no registration in self-use mode. */
const WayIn = () => {
  const { t } = useTranslation();
  const status = useSiteStatus();
  return (
    <>
      <Link to="/login" className="button">
        {t('page.login')}
      </Link>
      {mayRegister(status) && (
        <Link to="/register" className="button button-primary front-register">
          {t('page.register')}
        </Link>
      )}
    </>
  );
};

export default FrontFrame;
