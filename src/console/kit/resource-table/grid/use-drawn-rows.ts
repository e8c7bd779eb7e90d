import { startTransition, useCallback, useEffect, useEffectEvent, useState } from 'react';
import { flushSync } from 'react-dom';
import { afterFrame } from '../../../lib/browser/after-frame.ts';

/** Rows drawn at once: as many as fit the eye, and few enough that a slow machine is not busy for long. */
const FIRST = 6;
/** Further ones come in smaller steps: keys are heard in between. */
const STEP = 2;
/** Rows that lose their cells at once. */
const GOING = 6;
/** Shorter lists are drawn whole. */
const WHOLE_UP_TO = 30;
/** How far from the eye rows are drawn, so that they are there when they are scrolled to. */
const MARGIN = '200px';

export interface Rows {
  readonly ids: string;
  /** Those that have all of their cells. */
  readonly drawn: ReadonlySet<number>;
  /** Those at or near the part of the page that is seen. */
  readonly near: ReadonlySet<number>;
  /** Those that somebody works with: what is open or typed in them stays. */
  readonly kept: ReadonlySet<number>;
  /** What React knows each row by. */
  readonly keys: ReadonlyMap<number, number>;
  /** How high rows were that are no longer near. */
  readonly heights: ReadonlyMap<number, number>;
  readonly isWhole: boolean;
}

/** A list as it begins. */
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
 * The keys of another list. A row that was there keeps its own. One that only has its name may be the element of another
 * such row in its place: nine tenths of a hundred rows then get a new text instead of being made anew.
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

/** What another list leaves of the rows: those that were there stay as they are, unless too many others come. */
export const rowsAfter = (before: Rows, ids: readonly number[]): Rows => {
  const listed = new Set(ids);
  // Columns have their widths already, so fewer rows will do: the names of all others come at the same time.
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

/** The next step towards all rows that are near having their cells, and no other. Undefined if that is so. */
export const nextStep = (rows: Rows, ids: readonly number[]): Rows | undefined => {
  const wanted = (id: number): boolean => rows.isWhole || rows.near.has(id) || rows.kept.has(id);
  const lacking = ids.filter((id) => wanted(id) && !rows.drawn.has(id)).slice(0, STEP);
  // Nobody waits for a row to go: that comes after those that are to be seen.
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

/** Searching in the page, and printing it, needs all of it. */
const isFind = ({ key, ctrlKey, metaKey }: KeyboardEvent): boolean =>
  key === 'F3' || ((ctrlKey || metaKey) && (key === 'f' || key === 'g'));

export interface DrawnRows {
  /** How high a row is that only has its name for now; undefined for one that has all of its cells. */
  readonly heightOf: (id: number) => number | undefined;
  /** What React knows it by. */
  readonly keyOf: (id: number) => number | undefined;
  /** A ref for rows. */
  readonly watch: (row: HTMLElement | null) => (() => void) | undefined;
  /** Somebody works with that row. */
  readonly keep: (id: number) => void;
}

/**
 * Which rows of a list have all of their cells. Of a long list those far from the eye only have their names: with a hundred
 * rows of a dozen cells, every key and every movement of the mouse would be felt.
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
  // Steps would come too late: the page is printed as it is when this has been heard.
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
    keyOf: (id) => rows.keys.get(id),
    heightOf: (id) => (rows.drawn.has(id) ? undefined : (rows.heights.get(id) ?? 0)),
    watch,
    keep,
  };
};
