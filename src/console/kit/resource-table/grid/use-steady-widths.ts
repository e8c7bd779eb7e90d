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
 * Settles after the first rows are laid out, and again when the available width changes or later rows make the table too wide.
 */
const keepSettled = (columns: HTMLElement, table: HTMLElement, box: HTMLElement): (() => void) => {
  let room = 0;
  let width = 0;
  // Called after layout: measuring earlier would force a layout within the task that drew the rows.
  const sizes = new ResizeObserver(() => {
    const isPushedOut = table.offsetWidth > box.clientWidth && table.offsetWidth !== width;
    if (box.clientWidth !== room || isPushedOut) settle(columns);
    room = box.clientWidth;
    width = table.offsetWidth;
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
