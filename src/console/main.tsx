import './styles/index.css';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { messageOf } from './lib/api-error.ts';
import { startI18n, t } from './lib/i18n.ts';
import { followOtherWindows, onSessionExpired } from './lib/session.ts';
import { loadSiteStatus } from './lib/site-status.ts';
import { toast } from './lib/toasts.ts';
import { router } from './router.tsx';

/** A page of an older build asks for files that are gone: load the new build, once. */
const reloadAfterDeploy = (): void => {
  addEventListener('vite:preloadError', (event) => {
    const lastMs = Number(sessionStorage.getItem('reloaded-at') ?? 0);
    if (Date.now() - lastMs < 30_000) return;
    event.preventDefault();
    sessionStorage.setItem('reloaded-at', String(Date.now()));
    location.reload();
  });
};

const showLoginWhenExpired = (): void => {
  onSessionExpired(() => {
    const { pathname, href } = router.state.location;
    if (pathname === '/login') return;
    void router.navigate({ to: '/login', search: { expired: 'true', redirect: href } });
  });
};

const start = async (): Promise<void> => {
  reloadAfterDeploy();
  followOtherWindows();
  showLoginWhenExpired();
  // The status is usually in the page already; where it is not, the page need not wait for it.
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

void start();
