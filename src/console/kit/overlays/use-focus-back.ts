import { useEffect, useState } from 'react';

/** What opened each dialog and drawer that is there now, the one opened last at the end. */
const layers = new Set<readonly Element[]>();

/** The page itself: it gets the focus if every opener is gone, so that keys and screen readers continue there. */
const page = (): Element | null => document.querySelector('#content');

/**
 * Returns the focus to the opener when this is removed. Mantine does so only for a dialog that is told to close; ours are
 * removed whole. If the opener was in another layer that is gone too, the opener of that layer gets the focus. If the
 * focus has moved elsewhere meanwhile, it stays there.
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
      // What replaces this at once, such as a form its skeleton, takes the focus itself.
      setTimeout(() => {
        if (document.activeElement !== document.body) return;
        const next = openers.find((one) => one.isConnected) ?? (layers.size === 0 ? page() : null);
        // The page is larger than the screen: without this it would be scrolled.
        if (next instanceof HTMLElement) next.focus({ preventScroll: next === page() });
      });
    };
  }, [openers]);
};
