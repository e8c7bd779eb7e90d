import { useEffect, useState } from 'react';

/** The elements that opened the current dialogs and drawers, the latest last. */
const layers = new Set<readonly Element[]>();

/** The page itself: it gets the focus if every opener is gone, so that keys and screen readers continue there. */
const page = (): HTMLElement | null => document.querySelector('#content');

/** Gives the page the focus, unless something is open above it. */
export const focusPage = (): void => {
  // Without `preventScroll`, the page would scroll if it is larger than the screen.
  if (layers.size === 0) page()?.focus({ preventScroll: true });
};

/** Gives the page the focus if nothing else has it or takes it now. */
export const focusPageLater = (): (() => void) => {
  const timer = setTimeout(() => {
    if (document.activeElement === document.body) focusPage();
  });
  return () => clearTimeout(timer);
};

/**
 * Returns the focus to the opener when this is unmounted. If the opener was in another layer that is gone too, that layer's
 * opener gets the focus. If the focus has moved elsewhere meanwhile, it stays there.
 */
export const useFocusBack = (): void => {
  const [openers] = useState<readonly Element[]>(() => [
    ...(document.activeElement === null || document.activeElement === document.body
      ? []
      : [document.activeElement]),
    ...([...layers].at(-1) ?? []),
  ]);
  useEffect(() => {
    layers.add(openers);
    return () => {
      layers.delete(openers);
      // A replacement, such as a form for its skeleton, takes the focus itself.
      setTimeout(() => {
        if (document.activeElement !== document.body) return;
        const opener = openers.find((one) => one.isConnected);
        if (opener instanceof HTMLElement) opener.focus({ preventScroll: opener === page() });
        else focusPage();
      });
    };
  }, [openers]);
};
