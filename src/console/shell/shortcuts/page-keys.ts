import { useNavigate } from '@tanstack/react-router';
import { useEffect, useEffectEvent } from 'react';
import { isSingleKey } from '../../lib/browser/single-keys.ts';
import { useSession } from '../../lib/session/session.ts';
import { signal } from '../../lib/browser/signal.ts';
import { useSiteStatus } from '../../lib/server/site-status.ts';
import { type ConsoleKey, menuFor } from '../../routes.ts';

/** The pages that `g` and then this letter lead to. */
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

/** Whether the sheet of all shortcuts is open. */
export const keysSheet = signal(false);
export const openKeysSheet = (): void => keysSheet.set(true);

/** How long to wait for the second key after `g`. */
const SECOND_KEY_MS = 1500;

/** Handles the shortcuts of every page: `?` for the sheet, `g` and a letter for the pages of the menu. */
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
      // Stops the event, so that the table does not handle the second key too.
      event.stopImmediatePropagation();
    };
    addEventListener('keydown', press, true);
    return () => removeEventListener('keydown', press, true);
  }, []);
};
