import { Outlet } from '@tanstack/react-router';
import { type ComponentType, Fragment, useEffect, useState } from 'react';
import { useSignal } from '../lib/browser/signal.ts';
import { onReturn, useConnection } from '../lib/server/connection.ts';
import { usePageBuild } from '../lib/session/session.ts';
import { signInRequest } from '../lib/session/sign-in-again.ts';
import { toasts } from '../lib/toasts.ts';

/** Signs of a user. */
const MOVES = ['pointermove', 'pointerdown', 'keydown'] as const;

/** After this time of waiting, the user may be told that it takes long. */
const WAITED_MS = 9000;

/**
 * What floats above the pages is loaded once it may be needed: something is to be shown, the user moves and may ask for a
 * tooltip or dialog, or has waited long.
 */
const Above = () => {
  const [Floating, setFloating] = useState<ComponentType>();
  const isLoaded = Floating !== undefined;
  const isToasted = useSignal(toasts).length > 0;
  const isAsked = useSignal(signInRequest) !== undefined;
  const isCutOff = useConnection() !== 'online';
  const isNeeded = isToasted || isAsked || isCutOff;
  useEffect(() => {
    if (isLoaded) return undefined;
    const load = (): void =>
      void import('./floating.tsx').then(
        ({ default: loaded }) => setFloating(() => loaded),
        // The page is worth more than what floats above it: without a network that comes later.
        () => undefined,
      );
    const want = (): void => {
      stop();
      load();
    };
    const timer = setTimeout(want, WAITED_MS);
    const stop = (): void => {
      clearTimeout(timer);
      for (const move of MOVES) removeEventListener(move, want);
    };
    for (const move of MOVES) addEventListener(move, want);
    if (isNeeded) want();
    const stopReturn = onReturn(load);
    return () => {
      stop();
      stopReturn();
    };
  }, [isLoaded, isNeeded]);
  return isLoaded && <Floating />;
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
