import { useLayoutEffect } from 'react';

/** The number of open drawers: one may be above another. */
let open = 0;

const count = (change: number): void => {
  open += change;
  document.documentElement.toggleAttribute('data-drawer', open > 0);
};

/**
 * Moves toasts beside an open drawer, so that they do not cover its head. It sets an attribute on the page, because
 * `body:has(.drawer)` would restyle every row behind the drawer with each element that is added to the page: a tenth of a
 * second on a slow machine.
 */
export const useToastsBeside = (): void =>
  useLayoutEffect(() => {
    count(1);
    return () => count(-1);
  }, []);
