import { useState } from 'react';
import { readStoredJson, store } from '../../../lib/browser/stored.ts';
import type { Column } from '../column.ts';

export const WIDTH_MIN_PX = 48;
export const WIDTH_MAX_PX = 1200;

/** The widths that the user has set; all other columns are as wide as their content. */
export interface ColumnWidths {
  readonly px: Readonly<Record<string, number>>;
  /** Undefined resets it to the width of its content. */
  readonly set: (id: string, px: number | undefined) => void;
  readonly reset: () => void;
  /** Whether widths are being changed by keys: then the column heads take the focus. */
  readonly isAdjusting: boolean;
  readonly adjust: (isOn: boolean) => void;
}

const within = (px: number): number => Math.round(Math.min(WIDTH_MAX_PX, Math.max(WIDTH_MIN_PX, px)));

/** Invalid entries are dropped, because an older version of the page may have stored them. */
export const readWidths = (value: unknown): Readonly<Record<string, number>> =>
  typeof value !== 'object' || value === null
    ? {}
    : Object.fromEntries(
        Object.entries(value).flatMap(([id, px]: [string, unknown]) =>
          typeof px === 'number' && Number.isFinite(px) ? [[id, within(px)]] : [],
        ),
      );

/** Stored on this device under `widths:<table>`. */
export const useWidths = (table: string): ColumnWidths => {
  const key = `widths:${table}`;
  const [px, setPx] = useState(() => readWidths(readStoredJson(key)));
  const [isAdjusting, adjust] = useState(false);
  const keep = (next: Readonly<Record<string, number>>): void => {
    store(key, Object.keys(next).length === 0 ? undefined : JSON.stringify(next));
    setPx(next);
  };
  return {
    px,
    set: (id, wanted) => {
      const others = Object.entries(px).filter(([one]) => one !== id);
      keep(Object.fromEntries(wanted === undefined ? others : [...others, [id, within(wanted)]]));
    },
    reset: () => keep({}),
    isAdjusting,
    adjust,
  };
};

/**
 * The columns, with a mark at those with a chosen width. Rows are drawn again when a column gets one, not while it is dragged.
 */
export const sizedColumns = <Row>(columns: readonly Column<Row>[], sized: string): readonly Column<Row>[] => {
  const ids = new Set(sized.split(' '));
  return columns.map((column) => (ids.has(column.id) ? { ...column, isSized: true } : column));
};
