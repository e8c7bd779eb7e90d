import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useDeferredValue, useState } from 'react';
import { ReadingDrawer } from './reading-drawer.tsx';
import { ErrorState, Skeleton } from '../states.tsx';
import { useFocusBack } from '../overlays/use-focus-back.ts';

interface EditDrawerProps<Row> {
  /** The kind of row; first part of its query key. */
  readonly name: string;
  /** `new` shows an empty form at once. */
  readonly id: number | 'new';
  /** The drawer's title while the row loads. */
  readonly title: string;
  readonly read: (id: number, signal: AbortSignal) => Promise<Row>;
  readonly onClose: () => void;
  /** Renders a FormDrawer for the loaded row; undefined for a new one. */
  readonly form: (before: Row | undefined) => ReactNode;
}

/**
 * Loads a row before showing its form, so that the form starts with the server's current values. It is loaded once: the form
 * would start anew with every reload, such as the one after the server did not answer, and lose what is typed. Saving tells
 * what others have changed since.
 */
export const EditDrawer = <Row,>({ name, id, title, read, onClose, form }: EditDrawerProps<Row>) => {
  // The drawer is replaced when the row arrives, so the element that opened it is remembered here.
  useFocusBack();
  const [loaded, setLoaded] = useState<{ readonly id: number | 'new'; readonly row: Row }>();
  const isLoaded = loaded?.id === id;
  const query = useQuery({
    queryKey: [name, id],
    queryFn: ({ signal }) => read(Number(id), signal),
    enabled: id !== 'new' && !isLoaded,
    staleTime: 0,
    gcTime: 0,
  });
  if (!isLoaded && !query.isFetching && query.data !== undefined) setLoaded({ id, row: query.data });
  // A form is long: drawn at once it would hold up whoever is typing or scrolling.
  const row = useDeferredValue(isLoaded ? loaded.row : undefined);
  if (id === 'new') return form(undefined);
  if (row !== undefined) return form(row);
  return (
    <ReadingDrawer title={title} onClose={onClose}>
      {query.isError ? (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      ) : (
        Array.from({ length: 6 }, (_, at) => (
          <Skeleton key={at} height={at % 2 === 0 ? 14 : 34} width={at % 2 === 0 ? 120 : '100%'} />
        ))
      )}
    </ReadingDrawer>
  );
};
