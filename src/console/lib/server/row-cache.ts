import { ApiError, messageOf } from './api-error.ts';
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

/** The edits of a list that are being saved. */
interface Saving {
  edits: number;
  /** An answer may show the rows as they were before one of the edits, or an edit stopped a reload. */
  isStale: boolean;
}
const savings = new Map<string, Saving>();

const isReloading = (name: string): boolean => queryClient.isFetching({ queryKey: [name] }) > 0;

/**
 * Shows a row's change at once and saves it; reverts it with a toast if the server refuses. Reads the list again afterwards if it
 * may have been read before the change was saved, or if the change was refused.
 */
export const changeRow = async <Row extends Identified>(
  name: string,
  id: number,
  patch: Partial<Row>,
  save: () => Promise<Row>,
): Promise<void> => {
  const saving = savings.get(name) ?? { edits: 0, isStale: false };
  savings.set(name, saving);
  saving.isStale ||= saving.edits > 0 || isReloading(name);
  saving.edits += 1;
  await queryClient.cancelQueries({ queryKey: [name] });
  const takeBack = patchRow(name, id, patch);
  try {
    const saved = await save();
    // With two edits at once, the answer to one may have the row without the other.
    if (!saving.isStale) patchRow(name, id, saved);
  } catch (error) {
    takeBack();
    saving.isStale = true;
    if (!(error instanceof ApiError && error.status === 401)) toast('bad', messageOf(error));
  }
  saving.isStale ||= isReloading(name);
  saving.edits -= 1;
  if (saving.edits > 0) return;
  savings.delete(name);
  if (saving.isStale) void queryClient.invalidateQueries({ queryKey: [name] });
};
