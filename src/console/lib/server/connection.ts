import { readStatus } from '#contract/api/site/setup.ts';
import { signal, useSignal } from '../browser/signal.ts';

/** `offline`: this machine has no network; `down`: it has, but the server does not answer. */
export type Connection = 'online' | 'offline' | 'down';

const connection = signal<Connection>('online');
const returned = signal(0);

export const useConnection = (): Connection => useSignal(connection);

/** Hears when the server answers again after it did not. */
export const onReturn = (listener: () => void): (() => void) => returned.watch(listener);

const FIRST_WAIT_MS = 2000;
const MOST_WAIT_MS = 30_000;

let timer: ReturnType<typeof setTimeout> | undefined;

/** Some answer came, whatever it said. */
export const noteAnswer = (): void => {
  if (connection.get() === 'online') return;
  clearTimeout(timer);
  timer = undefined;
  connection.set('online');
  returned.set(returned.get() + 1);
};

/** A call got no answer at all: from now on the server is asked until it answers. */
export const noteSilence = (): void => {
  connection.set(navigator.onLine ? 'down' : 'offline');
  if (timer === undefined) askIn(FIRST_WAIT_MS);
};

/** Whether the server answers at this moment. */
export const isReachable = async (): Promise<boolean> => {
  try {
    // An answer of a proxy whose server is gone is none.
    return (await fetch(readStatus.path, { cache: 'no-store' })).status < 502;
  } catch {
    return false;
  }
};

const askIn = (waitMs: number): void => {
  timer = setTimeout(() => void askAgain(waitMs), waitMs);
};

const askAgain = async (waitedMs: number): Promise<void> => {
  if (await isReachable()) return noteAnswer();
  connection.set(navigator.onLine ? 'down' : 'offline');
  askIn(Math.min(MOST_WAIT_MS, waitedMs * 2));
};

/** The one who waits need not wait for the next turn. */
export const tryNow = (): void => {
  clearTimeout(timer);
  void askAgain(FIRST_WAIT_MS / 2);
};

/** Watches the browser's own word on the network. */
export const watchNetwork = (): void => {
  addEventListener('offline', noteSilence);
  addEventListener('online', () => connection.get() !== 'online' && tryNow());
};
