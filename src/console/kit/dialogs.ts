import { onUserChange } from '../lib/session.ts';
import { signal } from '../lib/signal.ts';

interface ConfirmRequest {
  readonly kind: 'confirm';
  readonly title: string;
  readonly text?: string;
  /** Words of the button that does it; default "OK". */
  readonly action?: string;
  readonly danger?: boolean;
  /** The user must type this text first: for what can never be undone. */
  readonly typed?: string;
}

interface CopyRequest {
  readonly kind: 'copy';
  readonly text: string;
}

export type DialogRequest = ConfirmRequest | CopyRequest;

export interface OpenDialog {
  readonly request: DialogRequest;
  readonly answer: (yes: boolean) => void;
}

/** The dialog that is open now; shown by DialogHost. */
export const openedDialog = signal<OpenDialog | undefined>(undefined);

// A question to one user is nothing for the next.
onUserChange(() => openedDialog.get()?.answer(false));

export const openDialog = (request: DialogRequest): Promise<boolean> =>
  new Promise((resolve) => {
    openedDialog.get()?.answer(false);
    openedDialog.set({
      request,
      answer: (yes) => {
        openedDialog.set(undefined);
        resolve(yes);
      },
    });
  });

/** Asks before something that matters: `if (await confirm({ title, danger: true })) …`. */
export const confirm = (request: Omit<ConfirmRequest, 'kind'>): Promise<boolean> =>
  openDialog({ kind: 'confirm', ...request });
