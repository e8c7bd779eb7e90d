import './styles/index.css';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { messageOf } from './lib/server/api-error.ts';
import { isReachable, watchNetwork } from './lib/server/connection.ts';
import { startI18n, t } from './lib/text/i18n.ts';
import { hasDraft } from './lib/browser/draft.ts';
import { followOtherWindows, onRebuild, onSessionExpired } from './lib/session/session.ts';
import { loadSiteStatus } from './lib/server/site-status.ts';
import { toast, toasts } from './lib/toasts.ts';
import { router } from './router.tsx';

/**
 * A page of an older build may request files that no longer exist: it is reloaded once, or a reload is offered if it would lose
 * input. If the server does not answer, the page stays and says so, because a reload would end in the browser's error page.
 */
const reloadAfterDeploy = (): void => {
  // Parts of one page are missed together, and are one reason to reload.
  const offerReload = (): void => {
    const text = t('error.newVersion');
    if (toasts.get().some((shown) => shown.text === text)) return;
    toast('bad', text, { label: t('action.reload'), run: () => location.reload() });
  };
  const reload = async (): Promise<void> => {
    if (!(await isReachable())) return;
    const lastMs = Number(sessionStorage.getItem('reloaded-at') ?? 0);
    if (hasDraft() || Date.now() - lastMs < 30_000) return offerReload();
    sessionStorage.setItem('reloaded-at', String(Date.now()));
    location.reload();
  };
  addEventListener('vite:preloadError', () => void reload());
};

const showLoginWhenExpired = (): void => {
  onSessionExpired(() => {
    const { pathname, href } = router.state.location;
    if (pathname === '/login') return;
    void router.navigate({ to: '/login', search: { expired: 'true', redirect: href } });
  });
};

/** The previous user's unsaved forms are gone by then, so nothing blocks the navigation. */
const guardAgainWhenRebuilt = (): void => {
  onRebuild(() => void setTimeout(() => void router.invalidate()));
};

/** Forced colours are rare, so their style sheet is separate. */
const followForcedColours = (): void => {
  const forced = matchMedia('(forced-colors: active)');
  const dress = (): void => {
    if (forced.matches) void import('./styles/forced.css').catch(() => undefined);
  };
  forced.addEventListener('change', dress);
  dress();
};

const start = async (): Promise<void> => {
  followForcedColours();
  reloadAfterDeploy();
  watchNetwork();
  followOtherWindows();
  showLoginWhenExpired();
  guardAgainWhenRebuilt();
  // The status is usually embedded in the page; if not, the page does not wait for it.
  const texts = startI18n();
  const status = loadSiteStatus().catch(async (error: unknown) => {
    await texts;
    toast('bad', t('error.status', { message: messageOf(error) }));
  });
  const firstPage = router.load();
  await texts;
  await Promise.race([status, new Promise((resolve) => setTimeout(resolve, 400))]);
  await firstPage;
  const root = document.getElementById('root');
  if (root === null) throw new Error('index.html has no #root');
  createRoot(root).render(
    <StrictMode>
      <RouterProvider router={router} />
    </StrictMode>,
  );
};

// theme.js shows the failure on the otherwise blank page.
start().catch(() => dispatchEvent(new Event('not-started')));
