import { useCallback, useLayoutEffect, useRef } from 'react';

/** Makes every column want the width that the rows drawn so far gave it. Where somebody sized one, the others make room. */
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
 * Settles once the first rows are laid out, again when the place is another, and when what came later pushes the table out
 * of it.
 */
const keepSettled = (columns: HTMLElement, table: HTMLElement, box: HTMLElement): (() => void) => {
  let room = 0;
  let width = 0;
  // Called when all is laid out: to ask earlier would lay out the rows within the task that drew them.
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
 * A ref for the `colgroup` of a table. Rows that come later fit into the columns of the first ones: left alone, every
 * number that is a little longer would lay out all cells again. What needs more room still gets it.
 * @param shown the columns there are
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
