import { onUserChange } from './session.ts';
import { signal } from '../browser/signal.ts';

/** Asks the user to prove again who it is; answers whether that worked. */
type Ask = () => Promise<boolean>;

interface FreshRequest {
  readonly answer: (isProven: boolean) => void;
}

/** Open while somebody is asked; shown by the dialog host. */
export const freshRequest = signal<FreshRequest | undefined>(undefined);

// A question to one user is nothing for the next.
onUserChange(() => freshRequest.get()?.answer(false));

let running: Promise<boolean> | undefined;

/** One dialog at a time: calls that come meanwhile wait for the same answer. */
export const proveFresh: Ask = () => {
  running ??= new Promise<boolean>((resolve) => {
    freshRequest.set({
      answer: (isProven) => {
        freshRequest.set(undefined);
        running = undefined;
        resolve(isProven);
      },
    });
  });
  return running;
};
