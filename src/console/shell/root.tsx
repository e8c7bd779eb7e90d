import { Outlet } from '@tanstack/react-router';
import { Fragment, lazy, Suspense } from 'react';
import { usePageBuild } from '../lib/session/session.ts';

// Loaded late: toasts, tooltips and dialogs are not needed before the page.
const Floating = lazy(() => import('./floating.tsx'));

/** The root of every page. */
export const Root = () => {
  const build = usePageBuild();
  return (
    <Fragment key={build}>
      <Outlet />
      <Suspense>
        <Floating />
      </Suspense>
    </Fragment>
  );
};
