import { Outlet } from '@tanstack/react-router';
import { Fragment, lazy, Suspense } from 'react';
import { usePageBuild } from '../lib/session.ts';

// Nobody can see a toast, a tooltip or a dialog before the page.
const Floating = lazy(() => import('./floating.tsx'));

/** Around every page. */
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
