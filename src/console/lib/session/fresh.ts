import { onUserChange } from './session.ts';
import { signal } from '../browser/signal.ts';

/** Asks the user to confirm their identity; resolves to whether that worked. */
type Ask = () => Promise<boolean>;

interface FreshRequest {
  readonly answer: (isProven: boolean) => void;
}

/** The open request; shown by the dialog host. */
export const freshRequest = signal<FreshRequest | undefined>(undefined);

// A question to one user is dropped for the next.
onUserChange(() => freshRequest.get()?.answer(false));

let running: Promise<boolean> | undefined;

/** One dialog at a time: calls that come meanwhile wait for the same result. */
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
