import { useState } from 'react';
import { readStoredJson, store } from '../../../lib/browser/stored.ts';
import type { UrlPatch } from '../../../lib/browser/url-state.ts';

/** A saved state of a list: its address, and which columns differ from the default. */
export interface SavedView {
  readonly name: string;
  /** Search, filters and order, as in the address. */
  readonly asked: Readonly<Record<string, string>>;
  readonly columns: readonly string[];
}

const MOST = 20;
export const VIEW_NAME_MAX_LENGTH = 60;

const isText = (value: unknown): value is string => typeof value === 'string';

/** Invalid entries are dropped, because an older version of the page may have stored them. */
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

/** The views with this one first. It replaces one of the same name, and the oldest ones make room. */
export const withView = (views: readonly SavedView[], view: SavedView): readonly SavedView[] =>
  [view, ...views.filter(({ name }) => name !== view.name)].slice(0, MOST);

/** The address of a view: values of `names` that the view does not have are removed. */
export const askedBy = ({ asked }: SavedView, names: readonly string[]): UrlPatch =>
  Object.fromEntries(names.map((name) => [name, asked[name]]));

/** The saved views of a list, stored on this device. */
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
