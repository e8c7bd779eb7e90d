import { useEffect, useState } from 'react';

/** What opened each dialog and drawer that is there now, the one opened last at the end. */
const layers = new Set<readonly Element[]>();

/** The page itself, where nothing of what opened the dialog is left: keys and screen readers go on from there. */
const page = (): Element | null => document.querySelector('#content');

/**
 * Gives focus back to what opened this, once it is gone: dialogs and drawers here are taken away whole, where Mantine
 * only gives it back from one that is told to close. What was opened from another layer that went meanwhile gives it to
 * what opened that one. Where focus went elsewhere meanwhile, it stays there.
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
      // What follows in the same breath, such as the form in place of its skeleton, takes the focus itself.
      setTimeout(() => {
        if (document.activeElement !== document.body) return;
        const next = openers.find((one) => one.isConnected) ?? (layers.size === 0 ? page() : null);
        if (next instanceof HTMLElement) next.focus();
      });
    };
  }, [openers]);
};
