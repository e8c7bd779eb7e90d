import { useSyncExternalStore } from 'react';

const watched = (query: string): (() => boolean) => {
  const media = matchMedia(query);
  const watch = (listener: () => void): (() => void) => {
    media.addEventListener('change', listener);
    return () => media.removeEventListener('change', listener);
  };
  return () => useSyncExternalStore(watch, () => media.matches);
};

/** Whether the window is a phone's: at most 600 px wide. Source: specification, app shell. */
export const useIsPhone = watched('(max-width: 600px)');

/** Whether lists are shown as cards, because columns have no room. */
export const useHasCards = watched('(max-width: 759px)');

/** Whether a side menu would take room that the page needs. */
export const useIsNarrow = watched('(max-width: 1099px)');
