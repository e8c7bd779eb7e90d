import { onUserChange } from '../../lib/session/session.ts';
import { signal } from '../../lib/browser/signal.ts';

interface ConfirmRequest {
  readonly kind: 'confirm';
  readonly title: string;
  readonly text?: string;
  /** Text of the button that does it: a verb. */
  readonly action: string;
  readonly danger?: boolean;
  /** The user must type this text first; for irreversible actions. */
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

// Closed at sign-out, because it was a question to that user.
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

/** Asks for confirmation: `if (await confirm({ title, action: t('delete'), danger: true })) …`. */
export const confirm = (request: Omit<ConfirmRequest, 'kind'>): Promise<boolean> =>
  openDialog({ kind: 'confirm', ...request });
