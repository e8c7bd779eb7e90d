import { useLayoutEffect } from 'react';

/** Drawers that are there now: one may be open above another. */
let open = 0;

const count = (change: number): void => {
  open += change;
  document.documentElement.toggleAttribute('data-drawer', open > 0);
};

/**
 * What is told in passing stands beside a drawer, not above its head. A mark on the page, where `body:has(.drawer)` would
 * do: that restyles every row behind the drawer for each thing that is put into the page, a tenth of a second on a slow
 * machine.
 */
export const useToastsBeside = (): void =>
  useLayoutEffect(() => {
    count(1);
    return () => count(-1);
  }, []);
