import { onSignIn, onSignOut, sessionUser, type SessionUser } from './session.ts';
import { signal } from './signal.ts';

interface SignInRequest {
  /** Whose page it is; the only user whose work may go on. */
  readonly owner: SessionUser;
  readonly giveUp: () => void;
}

/** Open while somebody is asked to sign in over the page; shown among what floats above it. */
export const signInRequest = signal<SignInRequest | undefined>(undefined);

let owner: SessionUser | undefined;
let running: Promise<boolean> | undefined;

/** Remembers the page's user once the server has answered one of that user's calls. */
export const ownPage = (): void => {
  owner = sessionUser() ?? owner;
};

// What is still asked for a user who has left need not bring them back.
onSignOut(() => {
  owner = undefined;
});

/**
 * Asks the owner of this page to sign in again, so that nothing typed is lost. True once they have, here or in another
 * window. False where there is nothing to lose yet, where they give up, or where somebody else signed in.
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
      stop();
      signInRequest.set(undefined);
      resolve(isOwner);
    };
    const stop = onSignIn(() => end(sessionUser()?.id === asked.id));
    signInRequest.set({ owner: asked, giveUp: () => end(false) });
  });
