import type { z } from 'zod';
import type { sessionUser as sessionUserShape } from '#contract/api/people/session.ts';
import { isAdmin } from '#contract/may.ts';
import { signal, useSignal } from '../browser/signal.ts';
import { readStoredJson, store } from '../browser/stored.ts';

/** The signed-in user as returned by login; stored in local storage under `user`. */
export type SessionUser = z.infer<typeof sessionUserShape>;

const USER_KEY = 'user';
/** Changes with every sign-in, even of the same user, because other windows only get an event for changes. */
const SIGNED_IN_KEY = 'signed-in-at';

const isSessionUser = (value: unknown): value is SessionUser =>
  typeof value === 'object' && value !== null && 'id' in value && 'username' in value && 'role' in value;

const storedUser = (): SessionUser | undefined => {
  const value = readStoredJson(USER_KEY);
  return isSessionUser(value) ? value : undefined;
};

const user = signal<SessionUser | undefined>(storedUser());
const expired = signal(0);
const signedIn = signal(0);
const rebuilt = signal(0);
const left = signal(0);

/** The signed-in user; undefined if nobody is. Components use `useSession`, which follows changes. */
export const sessionUser = (): SessionUser | undefined => user.get();
/** The signed-in user; renders again when that changes. */
export const useSession = (): SessionUser | undefined => useSignal(user);
/** Whether an admin or the super admin is signed in. */
export const useIsAdmin = (): boolean => {
  const current = useSignal(user);
  return current !== undefined && isAdmin(current);
};

/** Stores the user after signing in, and notifies the listeners. */
export const startSession = (entered: SessionUser): void => {
  store(USER_KEY, JSON.stringify(entered));
  store(SIGNED_IN_KEY, String(Date.now()));
  user.set(entered);
  signedIn.set(signedIn.get() + 1);
};

const forgetUser = (): void => {
  store(USER_KEY, undefined);
  user.set(undefined);
};

/** Signs out. */
export const endSession = (): void => {
  left.set(left.get() + 1);
  forgetUser();
};

/** The server no longer accepts the session: ends it and notifies the listeners, one of which shows the login page. */
export const expireSession = (): void => {
  forgetUser();
  expired.set(expired.get() + 1);
};

/**
 * Calls the listener when another user, or nobody, is signed in, here or in another window. Not if only the name
 * changed.
 */
export const onUserChange = (listener: () => void): (() => void) => {
  let id = user.get()?.id;
  return user.watch(() => {
    const before = id;
    id = user.get()?.id;
    if (id !== before) listener();
  });
};

/** Calls the listener after every sign-in, here or in another window, also of the same user. */
export const onSignIn = (listener: () => void): (() => void) => signedIn.watch(listener);

/** Calls the listener when the page's user signs out, before the user's data is removed. */
export const onSignOut = (listener: () => void): (() => void) => left.watch(listener);

export const onSessionExpired = (listener: () => void): (() => void) => expired.watch(listener);

/**
 * The number of times the page was rebuilt for another user; used as the key of everything that depends on the user.
 */
export const usePageBuild = (): number => useSignal(rebuilt);

/** Calls the listener when route guards must run again, for another user or for nobody. */
export const onRebuild = (listener: () => void): (() => void) => rebuilt.watch(listener);

/** Rebuilds the whole page, because it was built for another user. */
export const rebuildPage = (): void => rebuilt.set(rebuilt.get() + 1);

/**
 * Follows sign-ins and sign-outs in other windows. A suspended window gets no events, so it checks again when it is
 * shown.
 */
export const followOtherWindows = (): void => {
  const follow = (): void => {
    const before = user.get()?.id;
    const now = storedUser();
    user.set(now);
    if (now?.id !== before) rebuildPage();
  };
  const lookAgain = (): void => {
    if (document.visibilityState === 'visible' && storedUser()?.id !== user.get()?.id) follow();
  };
  addEventListener('storage', (event) => {
    // A null key means that all storage was cleared.
    if (event.key === USER_KEY || event.key === null) follow();
    if (event.key !== SIGNED_IN_KEY) return;
    follow();
    signedIn.set(signedIn.get() + 1);
  });
  addEventListener('pageshow', lookAgain);
  document.addEventListener('visibilitychange', lookAgain);
};
