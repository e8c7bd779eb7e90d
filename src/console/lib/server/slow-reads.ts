import type { Query } from '@tanstack/react-query';
import { signal } from '../browser/signal.ts';
import { ApiError } from './api-error.ts';
import { queryClient } from './query.ts';
import { isShown } from './shown-errors.ts';

/** After this time, users wonder whether anything will come. */
const SLOW_AFTER_MS = 10_000;
/** Within this time, the part of the page that an error belongs to has drawn it, if it does. */
const DRAWN_WITHIN_MS = 400;
const TOO_MANY = 429;

/** Whether a query is loading for a visible part that has no data yet. */
const isAwaited = (query: Query): boolean => query.isActive() && query.state.status === 'pending';

/** Whether the server failed, rather than refused. Without any answer, the connection is down, which is said elsewhere. */
const isFailure = (error: unknown): boolean =>
  error instanceof ApiError && (error.status >= 500 || error.status === TOO_MANY || error.isUnread);

/**
 * Whether a query has failed for a visible part that does not say so: it would look as if there were nothing, no choices, no
 * problems, no usage.
 */
const isUnsaid = (query: Query): boolean => {
  const { status, data, error } = query.state;
  return (
    status === 'error' &&
    data === undefined &&
    error !== null &&
    isFailure(error) &&
    !isShown(error) &&
    query.isActive()
  );
};

/** Whether the page's data is taking long. */
export const slowReads = signal(false);
/** Whether a part of the page could not be loaded and does not say so itself. */
export const failedReads = signal(false);

let timer: ReturnType<typeof setTimeout> | undefined;
let drawing: ReturnType<typeof setTimeout> | undefined;

const look = (patienceMs: number): void => {
  const isWaiting = queryClient.isFetching({ predicate: isAwaited }) > 0;
  if (isWaiting === (timer !== undefined)) return;
  clearTimeout(timer);
  timer = isWaiting ? setTimeout(() => slowReads.set(true), patienceMs) : undefined;
  if (slowReads.get()) slowReads.set(false);
};

const lookForFailed = (): void => {
  const isAny = queryClient.getQueryCache().findAll({ predicate: isUnsaid }).length > 0;
  if (isAny !== failedReads.get()) failedReads.set(isAny);
};

const waitForDrawing = (): void => {
  clearTimeout(drawing);
  drawing = setTimeout(lookForFailed, DRAWN_WITHIN_MS);
};

const follow = (): void => {
  look(SLOW_AFTER_MS);
  waitForDrawing();
};

// This code is loaded after the page: queries that are loading by then have been since the page was opened.
look(Math.max(0, SLOW_AFTER_MS - performance.now()));
waitForDrawing();
queryClient.getQueryCache().subscribe(follow);

/** Requests all of it again: a hanging answer may never arrive, while a new one may come at once. */
export const readAgain = async (): Promise<void> => {
  await queryClient.cancelQueries({ predicate: isAwaited });
  await queryClient.refetchQueries({ predicate: (query) => isAwaited(query) || isUnsaid(query) });
};
