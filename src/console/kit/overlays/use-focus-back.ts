import { useEffect, useState } from 'react';

/** The elements that opened the current dialogs and drawers, the latest last. */
const layers = new Set<readonly Element[]>();

/** The page itself: it gets the focus if every opener is gone, so that keys and screen readers continue there. */
const page = (): Element | null => document.querySelector('#content');

/**
 * Returns the focus to the opener when this is unmounted; Mantine only does so for a dialog that is closed, and ours are
 * unmounted. If the opener was in another layer that is gone too, that layer's opener gets the focus. If the focus has moved
 * elsewhere meanwhile, it stays there.
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
        const next = openers.find((one) => one.isConnected) ?? (layers.size === 0 ? page() : null);
        // Without this, the page would scroll if it is larger than the screen.
        if (next instanceof HTMLElement) next.focus({ preventScroll: next === page() });
      });
    };
  }, [openers]);
};
