import type { Query } from '@tanstack/react-query';
import { signal } from '../browser/signal.ts';
import { queryClient } from './query.ts';

/** By then whoever waits wonders whether anything will come. */
const SLOW_AFTER_MS = 10_000;

/** Read for something on the screen that shows nothing of it yet. */
const isAwaited = (query: Query): boolean => query.isActive() && query.state.status === 'pending';

/** Whether what the page is to show is long in coming. */
export const slowReads = signal(false);

let timer: ReturnType<typeof setTimeout> | undefined;

const look = (patienceMs: number): void => {
  const isWaiting = queryClient.isFetching({ predicate: isAwaited }) > 0;
  if (isWaiting === (timer !== undefined)) return;
  clearTimeout(timer);
  timer = isWaiting ? setTimeout(() => slowReads.set(true), patienceMs) : undefined;
  if (slowReads.get()) slowReads.set(false);
};

// This is loaded some time after the page: what is awaited by then is so since the page was opened.
look(Math.max(0, SLOW_AFTER_MS - performance.now()));
queryClient.getQueryCache().subscribe(() => look(SLOW_AFTER_MS));

/** Asks anew for all of it: an answer that hangs may never come, and the next one at once. */
export const readAgain = async (): Promise<void> => {
  await queryClient.cancelQueries({ predicate: isAwaited });
  await queryClient.refetchQueries({ predicate: isAwaited });
};
