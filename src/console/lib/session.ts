import type { z } from 'zod';
import type { sessionUser as sessionUserShape } from '#contract/api/session.ts';
import { isAdmin } from '#contract/may.ts';
import { signal, useSignal } from './signal.ts';
import { readStoredJson, store } from './stored.ts';

/** Who is signed in, as login answered it; kept in local storage under `user`. */
export type SessionUser = z.infer<typeof sessionUserShape>;

const USER_KEY = 'user';

const isSessionUser = (value: unknown): value is SessionUser =>
  typeof value === 'object' && value !== null && 'id' in value && 'username' in value && 'role' in value;

const storedUser = (): SessionUser | undefined => {
  const value = readStoredJson(USER_KEY);
  return isSessionUser(value) ? value : undefined;
};

const user = signal<SessionUser | undefined>(storedUser());
const expired = signal(0);

export const sessionUser = (): SessionUser | undefined => user.get();
export const useSession = (): SessionUser | undefined => useSignal(user);
export const useIsAdmin = (): boolean => {
  const current = useSignal(user);
  return current !== undefined && isAdmin(current);
};

export const startSession = (signedIn: SessionUser): void => {
  store(USER_KEY, JSON.stringify(signedIn));
  user.set(signedIn);
};

export const endSession = (): void => {
  store(USER_KEY, undefined);
  user.set(undefined);
};

/** The server does not know us any more: ends the session and tells whoever shows the login page. */
export const expireSession = (): void => {
  endSession();
  expired.set(expired.get() + 1);
};

/** Hears of signing in and out, here or in another window. */
export const onUserChange = (listener: () => void): (() => void) => user.watch(listener);

export const onSessionExpired = (listener: () => void): (() => void) => expired.watch(listener);

/** Another window signed in or out: follow it. */
export const followOtherWindows = (): void => {
  addEventListener('storage', (event) => {
    if (event.key === USER_KEY) user.set(storedUser());
  });
};
