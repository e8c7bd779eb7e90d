import { useNavigate } from '@tanstack/react-router';
import { useEffect, useEffectEvent } from 'react';
import { isSingleKey } from '../lib/single-keys.ts';
import { useSession } from '../lib/session.ts';
import { signal } from '../lib/signal.ts';
import { useSiteStatus } from '../lib/site-status.ts';
import { type ConsoleKey, menuFor } from '../routes.tsx';

/** `g` and then one of these leads to a page. */
export const goKeys = {
  d: 'dashboard',
  y: 'playground',
  t: 'tokens',
  l: 'logs',
  w: 'topup',
  s: 'settings',
  c: 'channels',
  u: 'users',
  r: 'redemption',
} as const satisfies Readonly<Record<string, ConsoleKey>>;

/** Whether the sheet of all keys is open. */
export const keysSheet = signal(false);
export const openKeysSheet = (): void => keysSheet.set(true);

/** After `g` the second key is waited for this long. */
const SECOND_KEY_MS = 1500;

/** Listens for the keys that work on every page: `?` for the sheet, `g` and a letter for the pages of the menu. */
export const usePageKeys = (): void => {
  const navigate = useNavigate();
  const user = useSession();
  const status = useSiteStatus();
  const go = useEffectEvent((letter: string): boolean => {
    const key = Object.entries(goKeys).find(([one]) => one === letter)?.[1];
    const page = menuFor(user, status).find((row) => row.key === key);
    if (page === undefined) return false;
    void navigate({ to: page.path });
    return true;
  });
  useEffect(() => {
    let goUntil = 0;
    const press = (event: KeyboardEvent): void => {
      if (!isSingleKey(event)) return;
      const key = event.key.toLowerCase();
      const isSecond = event.timeStamp < goUntil;
      goUntil = key === 'g' && !isSecond ? event.timeStamp + SECOND_KEY_MS : 0;
      if (isSecond) {
        if (!go(key)) return;
      } else if (event.key === '?') openKeysSheet();
      else return;
      event.preventDefault();
      // The second key is not also one of the table's.
      event.stopImmediatePropagation();
    };
    addEventListener('keydown', press, true);
    return () => removeEventListener('keydown', press, true);
  }, []);
};
