import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback } from 'react';

/** The query string as plain strings. */
export type UrlState = Readonly<Record<string, string>>;

/** Changes to the query string; undefined or an empty text removes a value. */
export type UrlPatch = Readonly<Record<string, string | undefined>>;

/** Plain `name=value` pairs, not JSON: links stay readable and can be typed by hand. */
export const parseUrl = (text: string): UrlState => Object.fromEntries(new URLSearchParams(text));

type UrlValue = string | number | undefined | null;

/** The query string with its `?`, without empty values; an empty text if none is left. */
export const writeUrl = (state: Readonly<Record<string, UrlValue>>): string => {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(state)) {
    if (value !== undefined && value !== null && value !== '') query.set(name, String(value));
  }
  return query.size === 0 ? '' : `?${query}`;
};

/**
 * The page's state in its address: filters, page, open drawer. `patch` changes some values; undefined or '' removes
 * them. `replace` adds no history entry (for typing in a search box); everything else can be undone with Back.
 */
export const useUrlState = (): readonly [
  UrlState,
  (patch: UrlPatch, options?: { replace?: boolean }) => void,
] => {
  const state = useSearch({ strict: false }) as UrlState;
  const navigate = useNavigate();
  const patch = useCallback(
    (change: UrlPatch, options: { replace?: boolean } = {}) => {
      void navigate({
        to: '.',
        search: (old: UrlState) => ({ ...old, ...change }),
        replace: options.replace ?? false,
        resetScroll: false,
      });
    },
    [navigate],
  );
  return [state, patch];
};

/** For closing a drawer or dialog: Back then does not open it again. */
export const CLOSING = { replace: true } as const;

/**
 * The drawer of a page, kept in the address as `?edit=12` or `?edit=new`.
 * `id` is undefined while it is closed.
 */
export const useDrawerUrl = (
  name = 'edit',
): { id: number | 'new' | undefined; open: (id: number | 'new') => void; close: () => void } => {
  const [state, patch] = useUrlState();
  const text = state[name];
  const id = text === 'new' ? 'new' : /^\d+$/.test(text ?? '') ? Number(text) : undefined;
  // After the task of the click: drawn within it, the press itself would be seen as late as the drawer.
  const open = useCallback(
    (wanted: number | 'new') => void setTimeout(() => patch({ [name]: String(wanted) }), 0),
    [name, patch],
  );
  const close = useCallback(() => patch({ [name]: undefined }, CLOSING), [name, patch]);
  return { id, open, close };
};
