import './console.css';
import { IconMenu2 } from '@tabler/icons-react';
import { QueryClientProvider } from '@tanstack/react-query';
import { Link, Outlet } from '@tanstack/react-router';
import { Suspense, useCallback, useState } from 'react';
import { useTranslation, withTexts } from '../../lib/text/i18n.ts';
import { late } from '../../kit/late.tsx';
import { IconButton } from '../../kit/button.tsx';
import { classNames } from '../../kit/class-names.ts';
import { useIsNarrow, useIsPhone } from '../../lib/browser/media.ts';
import { queryClient } from '../../lib/server/query.ts';
import { type SessionUser, useSession } from '../../lib/session/session.ts';
import { useSiteStatus } from '../../lib/server/site-status.ts';
import { readStored, store } from '../../lib/browser/stored.ts';
import { BottomTabs } from '../menus/bottom-tabs.tsx';
import { Footer } from './footer.tsx';
import { Logo } from './logo.tsx';
import { PageTitle, usePageKey, usePageName } from './page-title.tsx';
import { Preferences } from '../menus/preferences.tsx';
import { SideMenu } from '../menus/side-menu.tsx';
import { TopLinks } from '../menus/top-links.tsx';

const LateButtons = late(() => import('../late-buttons.tsx'));
const FirstSteps = late(withTexts('first-steps', () => import('../first-steps/first-steps.tsx')));
const PhoneSide = late(() => import('./phone-side.tsx'));
const UserMenu = late(() => import('../menus/user-menu.tsx'));

const COLLAPSED_KEY = 'sidebar-collapsed';

/** The frame of console pages: side menu, top bar, content. On phones, tabs at the bottom replace the menu. */
const ConsoleFrame = () => {
  const { t } = useTranslation();
  const isPhone = useIsPhone();
  const user = useSession();
  const isCollapsedAtFirst = useSiteStatus()?.default_collapse_sidebar ?? false;
  const isNarrow = useIsNarrow();
  const [isOpenedNarrow, setOpenedNarrow] = useState(false);
  const [chosen, setChosen] = useState(() => readStored(COLLAPSED_KEY));
  const isCollapsedWide = chosen === undefined ? isCollapsedAtFirst : chosen === 'true';
  const isCollapsed = isNarrow ? !isOpenedNarrow : isCollapsedWide;
  const toggle = (): void => {
    // In narrow windows the menu always starts collapsed; the stored choice is for wide windows.
    if (isNarrow) return setOpenedNarrow(isCollapsed);
    store(COLLAPSED_KEY, String(!isCollapsed));
    setChosen(String(!isCollapsed));
  };
  return (
    <div className={classNames('console', isCollapsed && !isPhone && 'console-narrow')}>
      <PageTitle />
      <a className="skip" href="#content">
        {t('action.skipToContent')}
      </a>
      {!isPhone && (
        <aside className="side">
          <Link to="/" className="side-logo">
            <Logo isMarkOnly={isCollapsed} />
          </Link>
          <SideMenu isCollapsed={isCollapsed} onToggle={toggle} />
        </aside>
      )}
      <div className="sheet">
        <header className="top">
          {isPhone ? <PhoneHead /> : <TopLinks />}
          <span className="top-space" />
          <Suspense>
            <LateButtons hasPalette />
          </Suspense>
          <Preferences />
          <Suspense fallback={<span className="avatar" />}>
            <UserMenu />
          </Suspense>
        </header>
        <main className="page" id="content" tabIndex={-1}>
          <QueryClientProvider client={queryClient}>
            <NewAccount key={user?.id} user={user} />
            <Outlet />
          </QueryClientProvider>
        </main>
        <Footer />
      </div>
      {isPhone && <BottomTabs />}
    </div>
  );
};

/** Pages that fill the window. */
const withoutSteps: ReadonlySet<string> = new Set(['playground', 'chat']);

/** The first steps, for accounts without an answered call. */
const NewAccount = ({ user }: { readonly user: SessionUser | undefined }) => {
  const page = usePageKey();
  const key = `first-steps-over:${user?.id ?? 0}`;
  const [isOver, setOver] = useState(() => readStored(key) !== undefined);
  const end = useCallback(() => {
    store(key, 'true');
    setOver(true);
  }, [key]);
  if (isOver || user === undefined || page === undefined || withoutSteps.has(page)) return null;
  return (
    <Suspense>
      <FirstSteps onOver={end} />
    </Suspense>
  );
};

/** Opens the menu, and names the current page. */
const PhoneHead = () => {
  const { t } = useTranslation();
  const name = usePageName();
  const [isOpen, setOpen] = useState(false);
  const close = useCallback(() => setOpen(false), []);
  return (
    <>
      <IconButton label={t('shell.menu')} aria-expanded={isOpen} onClick={() => setOpen(true)}>
        <IconMenu2 size={19} stroke={1.7} />
      </IconButton>
      <Link to="/" className="top-title" aria-label={name}>
        <Logo isMarkOnly />
        <span className="truncate" aria-hidden>
          {name}
        </span>
      </Link>
      <Suspense>{isOpen && <PhoneSide onClose={close} />}</Suspense>
    </>
  );
};

export default ConsoleFrame;
