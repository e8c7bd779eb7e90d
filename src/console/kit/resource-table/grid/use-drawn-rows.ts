import { startTransition, useCallback, useEffect, useEffectEvent, useState } from 'react';
import { flushSync } from 'react-dom';
import { afterFrame } from '../../../lib/browser/after-frame.ts';

/** Rows drawn at first: as many as are visible, and few enough for a slow machine. */
const FIRST = 6;
/** Further rows come in smaller steps, so that keys are handled in between. */
const STEP = 2;
/** Rows that lose their cells in one step. */
const GOING = 6;
/** Shorter lists are drawn whole. */
const WHOLE_UP_TO = 30;
/** How far outside the visible part rows are drawn, so that they are ready when scrolled to. */
const MARGIN = '200px';

export interface Rows {
  readonly ids: string;
  /** Rows with all their cells. */
  readonly drawn: ReadonlySet<number>;
  /** Rows in or near the visible part of the page. */
  readonly near: ReadonlySet<number>;
  /** Rows that are being worked with, which keep what is open or typed in them. */
  readonly kept: ReadonlySet<number>;
  /** The React key of each row. */
  readonly keys: ReadonlyMap<number, number>;
  /** The heights of rows that are no longer near. */
  readonly heights: ReadonlyMap<number, number>;
  readonly isWhole: boolean;
}

/** The initial state of a list. */
export const firstOf = (ids: readonly number[], count = FIRST): Rows => ({
  ids: ids.join(),
  drawn: new Set(ids.slice(0, count)),
  keys: new Map(ids.map((id, at) => [id, at])),
  near: new Set(),
  kept: new Set(),
  heights: new Map(),
  isWhole: ids.length <= WHOLE_UP_TO,
});

/**
 * The keys for a new list. A row that was there keeps its key. A row of which only the name is drawn may take over the element
 * of such a row in the same place: nine tenths of a hundred rows then only get a new text.
 */
const keysAfter = ({ keys, drawn, near }: Rows, listed: ReadonlySet<number>): Map<number, number> => {
  let fresh = Math.max(-1, ...keys.values()) + 1;
  const places = [...keys];
  return new Map(
    [...listed].map((id, at) => {
      const [there, key] = places[at] ?? [];
      const isFree = there !== undefined && !listed.has(there) && !drawn.has(there) && !near.has(there);
      return [id, keys.get(id) ?? (isFree ? key : undefined) ?? fresh++];
    }),
  );
};

/** The state for a new list: rows that were there stay as they are, unless there are too many others. */
export const rowsAfter = (before: Rows, ids: readonly number[]): Rows => {
  const listed = new Set(ids);
  // The columns have their widths already, so fewer rows are drawn at first; the names of all others come with them.
  const next = { ...firstOf(ids, STEP), keys: keysAfter(before, listed) };
  const known = new Set([...before.drawn].filter((id) => listed.has(id)));
  if (known.size === 0) return next;
  const fresh = ids.slice(0, STEP).filter((id) => !known.has(id));
  return {
    ...next,
    drawn: new Set([...known, ...fresh]),
    near: new Set([...before.near].filter((id) => listed.has(id))),
    kept: before.kept,
    heights: before.heights,
  };
};

/** The next step until exactly the rows that are near have their cells; undefined if it is reached. */
export const nextStep = (rows: Rows, ids: readonly number[]): Rows | undefined => {
  const wanted = (id: number): boolean => rows.isWhole || rows.near.has(id) || rows.kept.has(id);
  const lacking = ids.filter((id) => wanted(id) && !rows.drawn.has(id)).slice(0, STEP);
  // Removing cells comes after drawing those that will be seen.
  const isBusy = lacking.length > 0 || rows.near.size === 0;
  const over = isBusy ? [] : [...rows.drawn].filter((id) => !wanted(id)).slice(0, GOING);
  if (lacking.length + over.length === 0) return undefined;
  const gone = new Set(over);
  return { ...rows, drawn: new Set([...rows.drawn, ...lacking].filter((id) => !gone.has(id))) };
};

const seen = (rows: Rows, entries: readonly IntersectionObserverEntry[]): Rows => {
  const near = new Set(rows.near);
  const heights = new Map(rows.heights);
  for (const { target, isIntersecting, boundingClientRect } of entries) {
    const id = Number(target instanceof HTMLElement ? target.dataset['row'] : undefined);
    if (isIntersecting) near.add(id);
    else if (near.delete(id)) heights.set(id, boundingClientRect.height);
  }
  return { ...rows, near, heights };
};

/** Searching in the page and printing need all rows. */
const isFind = ({ key, ctrlKey, metaKey }: KeyboardEvent): boolean =>
  key === 'F3' || ((ctrlKey || metaKey) && (key === 'f' || key === 'g'));

export interface DrawnRows {
  /** Whether it has all its cells. */
  readonly isDrawn: (id: number) => boolean;
  /** The height of a row of which only the name is drawn; undefined for a row with all its cells. */
  readonly heightOf: (id: number) => number | undefined;
  /** Its React key. */
  readonly keyOf: (id: number) => number | undefined;
  /** A ref for rows. */
  readonly watch: (row: HTMLElement | null) => (() => void) | undefined;
  /** Marks a row as being worked with. */
  readonly keep: (id: number) => void;
}

/**
 * Which rows of a list have all their cells. In a long list, only names are drawn far from the visible part: with a hundred
 * rows of a dozen cells, every key press and mouse move would lag.
 */
export const useDrawnRows = (ids: readonly number[]): DrawnRows => {
  const [before, setRows] = useState(() => firstOf(ids));
  const rows = before.ids === ids.join() ? before : rowsAfter(before, ids);
  if (rows !== before) setRows(rows);
  const next = nextStep(rows, ids);
  useEffect(() => {
    if (next === undefined) return undefined;
    return afterFrame(() => startTransition(() => setRows((latest) => nextStep(latest, ids) ?? latest)));
  }, [next, ids]);
  // All at once: the page is printed as it is when this event has been handled.
  const printAll = useEffectEvent(() =>
    flushSync(() => setRows((latest) => ({ ...latest, isWhole: true, drawn: new Set(ids) }))),
  );
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (isFind(event)) setRows((latest) => ({ ...latest, isWhole: true }));
    };
    const drawAll = (): void => printAll();
    addEventListener('beforeprint', drawAll);
    addEventListener('keydown', onKey);
    return () => {
      removeEventListener('beforeprint', drawAll);
      removeEventListener('keydown', onKey);
    };
  }, []);
  const [observer] = useState(
    () =>
      new IntersectionObserver((entries) => setRows((latest) => seen(latest, entries)), {
        rootMargin: MARGIN,
        scrollMargin: MARGIN,
      }),
  );
  const watch = useCallback(
    (row: HTMLElement | null) => {
      if (row === null) return undefined;
      observer.observe(row);
      return () => observer.unobserve(row);
    },
    [observer],
  );
  const keep = useCallback((id: number) => {
    setRows((latest) => (latest.kept.has(id) ? latest : { ...latest, kept: new Set([...latest.kept, id]) }));
  }, []);
  return {
    isDrawn: (id) => rows.drawn.has(id),
    keyOf: (id) => rows.keys.get(id),
    heightOf: (id) => (rows.drawn.has(id) ? undefined : (rows.heights.get(id) ?? 0)),
    watch,
    keep,
  };
};
