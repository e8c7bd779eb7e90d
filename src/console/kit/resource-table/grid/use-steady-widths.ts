import { useCallback, useLayoutEffect, useRef } from 'react';

/** Fixes every column at the width that the rows drawn so far gave it. If one was sized by the user, the others make room. */
const settle = (columns: HTMLElement): void => {
  const heads = [...(columns.parentElement?.querySelectorAll('thead th') ?? [])];
  const all = [...columns.children].filter((column) => column instanceof HTMLElement);
  for (const column of all) column.style.width = '';
  if (heads.some((head) => head.classList.contains('table-sized'))) return;
  const widths = heads.map((head) => head.getBoundingClientRect().width);
  all.forEach((column, at) => {
    column.style.width = `${String(widths[at] ?? 0)}px`;
  });
};

/**
 * Whether columns are fitted again at these widths: when the room changes, and when rows make the table wider than it ever was in
 * this room. Fitting changes how high rows are, so which of them are near and drawn, and these may push the table out as
 * those before did: fitted each time, it would never come to rest.
 */
export const fittings = (): ((room: number, width: number) => boolean) => {
  let lastRoom = 0;
  let widest = 0;
  return (room, width) => {
    if (room !== lastRoom) {
      lastRoom = room;
      widest = room;
      return true;
    }
    if (width <= widest) return false;
    widest = width;
    return true;
  };
};

/** Fits the columns after the first rows are laid out, and again when that is needed. */
const keepSettled = (columns: HTMLElement, table: HTMLElement, box: HTMLElement): (() => void) => {
  const isDue = fittings();
  // Called after layout: measuring earlier would force a layout within the task that drew the rows.
  const sizes = new ResizeObserver(() => {
    if (isDue(box.clientWidth, table.offsetWidth)) settle(columns);
  });
  sizes.observe(box);
  sizes.observe(table);
  return () => sizes.disconnect();
};

/**
 * A ref for the `colgroup` of a table. Later rows fit into the columns of the first ones: otherwise every slightly longer
 * number would lay out all cells again. Content that needs more room still gets it.
 * @param shown the ids of the columns
 */
export const useSteadyWidths = (
  shown: unknown,
): ((columns: HTMLElement | null) => (() => void) | undefined) => {
  const group = useRef<HTMLElement>(null);
  const settled = useRef(shown);
  useLayoutEffect(() => {
    if (group.current !== null && settled.current !== shown) settle(group.current);
    settled.current = shown;
  }, [shown]);
  return useCallback((columns) => {
    group.current = columns;
    const table = columns?.parentElement;
    const box = table?.parentElement;
    return columns !== null && table && box ? keepSettled(columns, table, box) : undefined;
  }, []);
};
