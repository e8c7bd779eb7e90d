import {
  MutationCache,
  QueryCache,
  QueryClient,
  useMutation,
  type UseMutationResult,
} from '@tanstack/react-query';
import { useRef } from 'react';
import { ApiError, messageOf } from './api-error.ts';
import { onReturn } from './connection.ts';
import { t } from '../text/i18n.ts';
import { onUserChange } from '../session/session.ts';
import { toast } from '../toasts.ts';

declare module '@tanstack/react-query' {
  interface Register {
    queryMeta: {
      /** The page goes on without it, such as the names that a field offers, and shows no error in its place. */
      readonly isAside?: true;
    };
    mutationMeta: {
      readonly done?: string | undefined;
      readonly refresh?: readonly string[] | undefined;
      readonly quiet?: boolean | undefined;
    };
  }
}

const isOver = (error: unknown): boolean => error instanceof ApiError && error.status === 401;

const isSilence = (error: unknown): boolean => error instanceof ApiError && error.status === 0;

/** Whether to retry: there was no answer, or the server was busy. */
const isPassing = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 0 || error.status >= 502);

/** The one query client, with the one place where errors become visible outside the part that caused them. */
export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({
    // Without data, the page shows the error itself, unless it goes on without. With old data on the screen, a toast tells it;
    // if there was no answer, the connection bar does, because data that reloads every few seconds would show as many toasts.
    onError: (error, query) => {
      if (isOver(error) || isSilence(error)) return;
      if (query.state.data !== undefined) toast('bad', t('error.refresh', { message: messageOf(error) }));
      else if (query.meta?.isAside) toast('bad', `${t('error.pageMissing')} · ${messageOf(error)}`);
    },
  }),
  mutationCache: new MutationCache({
    onError: (error, _variables, _context, mutation) => {
      if (mutation.meta?.quiet !== true && !isOver(error)) toast('bad', messageOf(error));
    },
    onSuccess: async (_data, _variables, _context, mutation) => {
      if (mutation.meta?.done !== undefined) toast('ok', mutation.meta.done);
      // Other pages show some of it, too: they read again when they are next opened.
      void queryClient.invalidateQueries({ refetchType: 'none' });
      await Promise.all(
        (mutation.meta?.refresh ?? []).map((name) => queryClient.invalidateQueries({ queryKey: [name] })),
      );
    },
  }),
  defaultOptions: {
    // Without a network a call fails and says so; waiting silently would look like a slow server.
    mutations: { networkMode: 'always' },
    queries: {
      networkMode: 'always',
      staleTime: 10_000,
      // Only queries with an interval, which pause while the page is hidden.
      refetchOnWindowFocus: ({ observers }) =>
        observers.some(({ options }) => typeof options.refetchInterval === 'number'),
      retry: (failures, error) => failures < 1 && isPassing(error),
    },
  },
});

// One user's data is not for the next user.
onUserChange(() => queryClient.clear());

// The data on the screen may be outdated by now.
onReturn(() => void queryClient.invalidateQueries());

interface Action<Input, Output> {
  readonly run: (input: Input) => Promise<Output>;
  /** The toast after success. */
  readonly done?: string | undefined;
  /** First parts of the query keys that are reloaded after success: the names of lists. */
  readonly refresh?: readonly string[];
  /** The caller shows the error itself (a form does). */
  readonly quiet?: boolean;
}

/**
 * A user's action that changes data: `const remove = useAction({ run: …, done: …, refresh: ['tokens'] })`. While it runs, the
 * same once more is ignored: the second click of a double click may come before its button is drawn busy.
 */
export const useAction = <Input = void, Output = unknown>({
  run,
  done,
  refresh,
  quiet,
}: Action<Input, Output>): UseMutationResult<Output, Error, Input> => {
  const running = useRef<string>(undefined);
  const action = useMutation<Output, Error, Input>({
    mutationFn: async (input) => {
      try {
        return await run(input);
      } finally {
        running.current = undefined;
      }
    },
    meta: { done, refresh, quiet },
  });
  const mutate: typeof action.mutate = (...asked) => {
    const key = JSON.stringify([asked[0]]);
    if (key === running.current) return;
    running.current = key;
    action.mutate(...asked);
  };
  return { ...action, mutate };
};
