import { ApiError, messageOf } from './api-error.ts';
import { isChangedMeanwhile } from './changed-meanwhile.ts';
import { queryClient } from './query.ts';
import { toast } from '../toasts.ts';

interface Identified {
  readonly id: number;
}

/** A cached query under a list's name: a page, or other data about the list (its counts), which has no rows. */
interface CachedPage<Row> {
  readonly items?: readonly Row[];
}

/**
 * Changes a row in every cached page of the list `name`.
 * @returns restores the old values
 */
const patchRow = <Row extends Identified>(name: string, id: number, patch: Partial<Row>): (() => void) => {
  let before: Row | undefined;
  const write = (change: Partial<Row>): void => {
    queryClient.setQueriesData<CachedPage<Row>>({ queryKey: [name] }, (page) => {
      if (page?.items === undefined) return page;
      before ??= page.items.find((row) => row.id === id);
      return { ...page, items: page.items.map((row) => (row.id === id ? { ...row, ...change } : row)) };
    });
  };
  write(patch);
  const old = before as Readonly<Record<string, unknown>> | undefined;
  return () => {
    if (old === undefined) return;
    write(Object.fromEntries(Object.keys(patch).map((key) => [key, old[key]])) as Partial<Row>);
  };
};

/**
 * Shows a row's change at once and saves it; reverts it with a toast if the server refuses. If others have changed the row
 * meanwhile, it is reloaded.
 */
export const changeRow = async <Row extends Identified>(
  name: string,
  id: number,
  patch: Partial<Row>,
  save: () => Promise<Row>,
): Promise<void> => {
  await queryClient.cancelQueries({ queryKey: [name] });
  const takeBack = patchRow(name, id, patch);
  try {
    patchRow(name, id, await save());
  } catch (error) {
    takeBack();
    if (isChangedMeanwhile(error)) void queryClient.invalidateQueries({ queryKey: [name] });
    if (!(error instanceof ApiError && error.status === 401)) toast('bad', messageOf(error));
  }
};
