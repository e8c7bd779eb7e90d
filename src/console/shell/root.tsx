import { Outlet } from '@tanstack/react-router';
import { Fragment, lazy, Suspense, useEffect, useState } from 'react';
import { useSignal } from '../lib/browser/signal.ts';
import { useConnection } from '../lib/server/connection.ts';
import { usePageBuild } from '../lib/session/session.ts';
import { signInRequest } from '../lib/session/sign-in-again.ts';
import { toasts } from '../lib/toasts.ts';

const Floating = lazy(() => import('./floating.tsx'));

/** Signs of a user. */
const MOVES = ['pointermove', 'pointerdown', 'keydown'] as const;

/** After this time of waiting, the user may be told that it takes long. */
const WAITED_MS = 9000;

/**
 * What floats above the pages is loaded once it may be needed: something is to be shown, the user moves and may ask for a
 * tooltip or dialog, or has waited long.
 */
const Above = () => {
  const [isWanted, setWanted] = useState(false);
  const isToasted = useSignal(toasts).length > 0;
  const isAsked = useSignal(signInRequest) !== undefined;
  const isCutOff = useConnection() !== 'online';
  const isNeeded = isToasted || isAsked || isCutOff;
  useEffect(() => {
    if (isWanted) return undefined;
    const want = (): void => setWanted(true);
    if (isNeeded) want();
    for (const move of MOVES) addEventListener(move, want);
    const timer = setTimeout(want, WAITED_MS);
    return () => {
      clearTimeout(timer);
      for (const move of MOVES) removeEventListener(move, want);
    };
  }, [isWanted, isNeeded]);
  return (
    isWanted && (
      <Suspense>
        <Floating />
      </Suspense>
    )
  );
};

/** The root of every page. */
export const Root = () => {
  const build = usePageBuild();
  return (
    <Fragment key={build}>
      <Outlet />
      <Above />
    </Fragment>
  );
};
