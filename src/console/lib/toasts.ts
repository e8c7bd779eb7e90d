import { signal } from './browser/signal.ts';

export type ToastTone = 'ok' | 'bad' | 'info';

export interface ToastAction {
  readonly label: string;
  readonly run: () => void;
}

export interface Toast {
  readonly id: number;
  readonly tone: ToastTone;
  readonly text: string;
  /** How often the same toast was requested while shown. */
  readonly count: number;
  readonly action?: ToastAction;
}

const MAX_SHOWN = 3;
const SHOWN_MS = 3000;
const SHOWN_WITH_ACTION_MS = 8000;
/** How often to check whether a toast is still being read. */
const READ_MS = 500;

export const toasts = signal<readonly Toast[]>([]);

const timers = new Map<number, ReturnType<typeof setTimeout>>();
let lastId = 0;

/** A toast under the pointer or with the focus stays. */
const isRead = (): boolean => {
  const box = document.querySelector('.toaster');
  return box !== null && (box.contains(document.activeElement) || box.matches(':hover'));
};

const closeOnceRead = (id: number): void => {
  if (isRead())
    timers.set(
      id,
      setTimeout(() => closeOnceRead(id), READ_MS),
    );
  else closeToast(id);
};

const hold = (toast: Toast): void => {
  clearTimeout(timers.get(toast.id));
  // Errors stay until closed.
  if (toast.tone === 'bad') return;
  timers.set(
    toast.id,
    setTimeout(() => closeOnceRead(toast.id), toast.action === undefined ? SHOWN_MS : SHOWN_WITH_ACTION_MS),
  );
};

/**
 * Shows a short message about an action just taken: 3 s, 8 s with an action (such as Undo), errors until closed; a toast stays
 * while it has the pointer or the focus. At most three at once; repeating one only raises its counter. Messages about a page's
 * data are shown in the page instead.
 */
export const toast = (tone: ToastTone, text: string, action?: ToastAction): void => {
  const shown = toasts.get();
  const same = shown.find((one) => one.tone === tone && one.text === text && action === undefined);
  if (same !== undefined) {
    const again = { ...same, count: same.count + 1 };
    toasts.set(shown.map((one) => (one.id === same.id ? again : one)));
    return hold(again);
  }
  const next: Toast = { id: ++lastId, tone, text, count: 1, ...(action === undefined ? {} : { action }) };
  toasts.set([...shown, next].slice(-MAX_SHOWN));
  hold(next);
};

export const closeToast = (id: number): void => {
  clearTimeout(timers.get(id));
  timers.delete(id);
  toasts.set(toasts.get().filter((one) => one.id !== id));
};
