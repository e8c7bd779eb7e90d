import './column-grip.css';
import type { KeyboardEvent, PointerEvent } from 'react';
import { useTranslation } from '../../../lib/text/i18n.ts';
import { type ColumnWidths, WIDTH_MAX_PX, WIDTH_MIN_PX } from './use-widths.ts';
import { widthName } from '../column.ts';

const STEP_PX = 16;

interface ColumnGripProps {
  readonly id: string;
  readonly title: string;
  readonly widths: ColumnWidths;
}

const headOf = (grip: Element): HTMLElement | null => grip.closest('th');

/**
 * The edge of a column: drag it, or double-click it for the column's natural width. While widths are adjusted by keys it
 * takes the focus: arrow keys move it, Delete resets the width.
 */
const ColumnGrip = ({ id, title, widths }: ColumnGripProps) => {
  const { t } = useTranslation();
  const drag = (event: PointerEvent<HTMLSpanElement>): void => {
    const grip = event.currentTarget;
    const head = headOf(grip);
    const table = head?.closest('table');
    if (event.button !== 0 || !head || !table) return;
    event.preventDefault();
    grip.setPointerCapture(event.pointerId);
    const from = event.clientX;
    const first = head.offsetWidth;
    let px: number | undefined;
    // The width is a CSS variable of the table while dragging, so that nothing is drawn again before the end.
    const move = (moved: globalThis.PointerEvent): void => {
      if (px === undefined) widths.set(id, first);
      px = Math.min(WIDTH_MAX_PX, Math.max(WIDTH_MIN_PX, first + moved.clientX - from));
      table.style.setProperty(widthName(id), `${String(px)}px`);
    };
    const end = (): void => {
      grip.removeEventListener('pointermove', move);
      if (px !== undefined) widths.set(id, px);
    };
    grip.addEventListener('pointermove', move);
    grip.addEventListener('lostpointercapture', end, { once: true });
  };
  const onKey = (event: KeyboardEvent<HTMLSpanElement>): void => {
    const now = widths.px[id] ?? headOf(event.currentTarget)?.offsetWidth ?? WIDTH_MIN_PX;
    if (event.key === 'ArrowRight') widths.set(id, now + STEP_PX);
    else if (event.key === 'ArrowLeft') widths.set(id, now - STEP_PX);
    else if (event.key === 'Delete' || event.key === 'Backspace') widths.set(id, undefined);
    else if (event.key === 'Escape' || event.key === 'Enter') widths.adjust(false);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const forKeys = {
    role: 'separator',
    tabIndex: 0,
    'aria-orientation': 'vertical',
    'aria-label': t('table.widthOf', { name: title }),
    'aria-valuenow': widths.px[id] ?? 0,
    'aria-valuemin': 0,
    'aria-valuemax': WIDTH_MAX_PX,
    'aria-valuetext': widths.px[id] === undefined ? t('table.widthAuto') : `${widths.px[id]} px`,
    onKeyDown: onKey,
  } as const;
  return (
    <span
      className="column-grip"
      onPointerDown={drag}
      onDoubleClick={() => widths.set(id, undefined)}
      {...(widths.isAdjusting ? forKeys : { 'aria-hidden': true })}
    />
  );
};

export default ColumnGrip;
