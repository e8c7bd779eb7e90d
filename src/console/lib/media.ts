import { useSyncExternalStore } from 'react';

const phone = matchMedia('(max-width: 600px)');

const watch = (listener: () => void): (() => void) => {
  phone.addEventListener('change', listener);
  return () => phone.removeEventListener('change', listener);
};

/** Whether the window is a phone's: at most 600 px wide. Source: specification, app shell. */
export const useIsPhone = (): boolean => useSyncExternalStore(watch, () => phone.matches);
