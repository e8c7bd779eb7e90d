import type { Query } from '@tanstack/react-query';
import { signal } from '../browser/signal.ts';
import { queryClient } from './query.ts';

/** After this time, users wonder whether anything will come. */
const SLOW_AFTER_MS = 10_000;

/** Whether a query is loading for a visible part that has no data yet. */
const isAwaited = (query: Query): boolean => query.isActive() && query.state.status === 'pending';

/** Whether the page's data is taking long. */
export const slowReads = signal(false);

let timer: ReturnType<typeof setTimeout> | undefined;

const look = (patienceMs: number): void => {
  const isWaiting = queryClient.isFetching({ predicate: isAwaited }) > 0;
  if (isWaiting === (timer !== undefined)) return;
  clearTimeout(timer);
  timer = isWaiting ? setTimeout(() => slowReads.set(true), patienceMs) : undefined;
  if (slowReads.get()) slowReads.set(false);
};

// This code is loaded after the page: queries that are loading by then have been since the page was opened.
look(Math.max(0, SLOW_AFTER_MS - performance.now()));
queryClient.getQueryCache().subscribe(() => look(SLOW_AFTER_MS));

/** Requests all of it again: a hanging answer may never arrive, while a new one may come at once. */
export const readAgain = async (): Promise<void> => {
  await queryClient.cancelQueries({ predicate: isAwaited });
  await queryClient.refetchQueries({ predicate: isAwaited });
};
