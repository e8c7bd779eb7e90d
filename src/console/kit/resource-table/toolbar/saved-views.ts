import { useState } from 'react';
import { readStoredJson, store } from '../../../lib/browser/stored.ts';
import type { UrlPatch } from '../../../lib/browser/url-state.ts';

/** A list as somebody likes to see it: what its address says, and which columns differ from the usual. */
export interface SavedView {
  readonly name: string;
  /** Search, filters and order, as in the address. */
  readonly asked: Readonly<Record<string, string>>;
  readonly columns: readonly string[];
}

const MOST = 20;
export const VIEW_NAME_MAX_LENGTH = 60;

const isText = (value: unknown): value is string => typeof value === 'string';

/** An older version of the page may have stored it: what cannot be parsed is left out. */
export const readViews = (value: unknown): readonly SavedView[] => {
  if (!Array.isArray(value)) return [];
  const entries: readonly unknown[] = value;
  return entries.flatMap((entry): readonly SavedView[] => {
    if (typeof entry !== 'object' || entry === null) return [];
    const { name, asked, columns } = entry as Record<string, unknown>;
    if (!isText(name) || typeof asked !== 'object' || asked === null || !Array.isArray(columns)) return [];
    const texts = Object.entries(asked).filter((pair): pair is [string, string] => isText(pair[1]));
    return [{ name, asked: Object.fromEntries(texts), columns: columns.filter(isText) }];
  });
};

/** The list with the view first; one of the same name is replaced, the oldest make room. */
export const withView = (views: readonly SavedView[], view: SavedView): readonly SavedView[] =>
  [view, ...views.filter(({ name }) => name !== view.name)].slice(0, MOST);

/** What the address becomes: whatever of `names` the view does not ask for is taken away. */
export const askedBy = ({ asked }: SavedView, names: readonly string[]): UrlPatch =>
  Object.fromEntries(names.map((name) => [name, asked[name]]));

/** The saved views of a list, kept on this device. */
export const useSavedViews = (table: string) => {
  const key = `views:${table}`;
  const [views, setViews] = useState(() => readViews(readStoredJson(key)));
  const keep = (next: readonly SavedView[]): void => {
    store(key, next.length === 0 ? undefined : JSON.stringify(next));
    setViews(next);
  };
  return {
    views,
    save: (view: SavedView): void => keep(withView(views, view)),
    remove: (name: string): void => keep(views.filter((view) => view.name !== name)),
  };
};
