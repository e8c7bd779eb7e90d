import { readStatus } from '#contract/api/site/setup.ts';
import { signal, useSignal } from '../browser/signal.ts';

/** `offline`: this machine has no network; `down`: it has, but the server does not answer. */
export type Connection = 'online' | 'offline' | 'down';

const connection = signal<Connection>('online');
const returned = signal(0);

export const useConnection = (): Connection => useSignal(connection);

/** Calls the listener when the server answers again after an outage. */
export const onReturn = (listener: () => void): (() => void) => returned.watch(listener);

const FIRST_WAIT_MS = 2000;
const MOST_WAIT_MS = 30_000;

let timer: ReturnType<typeof setTimeout> | undefined;

/** An answer arrived, whatever its status. */
export const noteAnswer = (): void => {
  if (connection.get() === 'online') return;
  // Without a network it may be the late answer to a call from before, or the server is on this machine: asking tells.
  if (navigator.onLine) noteReturn();
  else tryNow();
};

const noteReturn = (): void => {
  clearTimeout(timer);
  timer = undefined;
  connection.set('online');
  returned.set(returned.get() + 1);
};

/** A call got no answer: the server is now asked until it answers. */
export const noteSilence = (): void => {
  connection.set(navigator.onLine ? 'down' : 'offline');
  if (timer === undefined) askIn(FIRST_WAIT_MS);
};

/** Whether the server answers at this moment. */
export const isReachable = async (): Promise<boolean> => {
  try {
    // A proxy's answer for a missing server does not count.
    return (await fetch(readStatus.path, { cache: 'no-store' })).status < 502;
  } catch {
    return false;
  }
};

const askIn = (waitMs: number): void => {
  timer = setTimeout(() => void askAgain(waitMs), waitMs);
};

const askAgain = async (waitedMs: number): Promise<void> => {
  if (await isReachable()) return noteReturn();
  connection.set(navigator.onLine ? 'down' : 'offline');
  askIn(Math.min(MOST_WAIT_MS, waitedMs * 2));
};

/** Tries at once, for a user who does not want to wait. */
export const tryNow = (): void => {
  clearTimeout(timer);
  void askAgain(FIRST_WAIT_MS / 2);
};

/** Follows the browser's online and offline events. */
export const watchNetwork = (): void => {
  addEventListener('offline', noteSilence);
  addEventListener('online', () => connection.get() !== 'online' && tryNow());
};
