import { useCallback } from 'react';

const turn = (box: HTMLElement, name: 'wide' | 'left' | 'right', isOn: boolean): void => {
  // Unchanged marks are not written, because each write may restyle every cell.
  if (isOn === name in box.dataset) return;
  if (isOn) box.dataset[name] = '';
  else delete box.dataset[name];
};

/** Browsers round: a pixel may be missing. */
const SLACK = 1;

/** Marks on the box of a table, for the styles, whether the table is wider and to which sides it can be scrolled. */
const mark = (box: HTMLElement): void => {
  const table = box.querySelector('table');
  if (table === null) return;
  const over = table.offsetWidth - box.clientWidth;
  turn(box, 'wide', over > SLACK);
  turn(box, 'left', over > SLACK && box.scrollLeft > SLACK);
  turn(box, 'right', over > SLACK && box.scrollLeft < over - SLACK);
  // Every cell inherits it, so a table that has room for all of them does not set it: half a thousand were restyled.
  if (over <= SLACK) return;
  const lead = box.querySelector<HTMLElement>('th.table-lead');
  const leadWidth = lead === null ? '' : `${String(lead.offsetWidth)}px`;
  if (box.style.getPropertyValue('--lead-width') !== leadWidth)
    box.style.setProperty('--lead-width', leadWidth);
};

/** A ref for the box around a table. Scrolling and resizing draw nothing again. */
export const useEdges = (): ((box: HTMLElement | null) => (() => void) | undefined) =>
  useCallback((box) => {
    if (box === null) return undefined;
    const look = (): void => mark(box);
    const sizes = new ResizeObserver(look);
    sizes.observe(box);
    const table = box.querySelector('table');
    if (table !== null) sizes.observe(table);
    box.addEventListener('scroll', look, { passive: true });
    return () => {
      sizes.disconnect();
      box.removeEventListener('scroll', look);
    };
  }, []);
