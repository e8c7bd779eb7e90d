import { Outlet } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';

// Nobody can see a toast, a tooltip or a dialog before the page.
const Floating = lazy(() => import('./floating.tsx'));

/** Around every page. */
export const Root = () => (
  <>
    <Outlet />
    <Suspense>
      <Floating />
    </Suspense>
  </>
);
