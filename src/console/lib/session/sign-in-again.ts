import { onRebuild, onSignIn, onSignOut, sessionUser, type SessionUser } from './session.ts';
import { signal } from '../browser/signal.ts';

interface SignInRequest {
  /** The page's user; only this user may continue on the page. */
  readonly owner: SessionUser;
  readonly giveUp: () => void;
}

/** Whether the sign-in dialog is open above the page. */
export const signInRequest = signal<SignInRequest | undefined>(undefined);

let owner: SessionUser | undefined;
let running: Promise<boolean> | undefined;

/** Remembers the page's user after the server has answered a call of this user. */
export const ownPage = (): void => {
  owner = sessionUser() ?? owner;
};

const disown = (): void => {
  owner = undefined;
};
// Pending calls of a user who has signed out must not ask for a sign-in, nor those of a page that is another user's or nobody's now.
onSignOut(disown);
onRebuild(disown);

/**
 * Asks the page's user to sign in again, so that nothing typed is lost. True once they have, here or in another window.
 * False if there is nothing to lose, if they cancel, or if somebody else signed in.
 */
export const signInAgain = (): Promise<boolean> => {
  if (owner === undefined) return Promise.resolve(false);
  running ??= ask(owner).finally(() => {
    running = undefined;
  });
  return running;
};

const ask = (asked: SessionUser): Promise<boolean> =>
  new Promise((resolve) => {
    const end = (isOwner: boolean): void => {
      for (const stop of stops) stop();
      signInRequest.set(undefined);
      resolve(isOwner);
    };
    const stops = [onSignIn(() => end(sessionUser()?.id === asked.id)), onRebuild(() => end(false))];
    signInRequest.set({ owner: asked, giveUp: () => end(false) });
  });
