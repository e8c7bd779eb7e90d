import { useState } from 'react';
import { readStoredJson, store } from '../../../lib/browser/stored.ts';
import type { Column } from '../column.ts';

export const WIDTH_MIN_PX = 48;
export const WIDTH_MAX_PX = 1200;

/** The widths somebody gave to columns of a list; all others are as wide as what is in them wants. */
export interface ColumnWidths {
  readonly px: Readonly<Record<string, number>>;
  /** Undefined: as wide as it wants again. */
  readonly set: (id: string, px: number | undefined) => void;
  readonly reset: () => void;
  /** Whether they are changed by keys just now: the heads of the columns take the focus then. */
  readonly isAdjusting: boolean;
  readonly adjust: (isOn: boolean) => void;
}

const within = (px: number): number => Math.round(Math.min(WIDTH_MAX_PX, Math.max(WIDTH_MIN_PX, px)));

/** An older version of the page may have stored it: what cannot be parsed is left out. */
export const readWidths = (value: unknown): Readonly<Record<string, number>> =>
  typeof value !== 'object' || value === null
    ? {}
    : Object.fromEntries(
        Object.entries(value).flatMap(([id, px]: [string, unknown]) =>
          typeof px === 'number' && Number.isFinite(px) ? [[id, within(px)]] : [],
        ),
      );

/** Kept on this device under `widths:<table>`. */
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
      const { [id]: _before, ...others } = px;
      keep(wanted === undefined ? others : { ...others, [id]: within(wanted) });
    },
    reset: () => keep({}),
    isAdjusting,
    adjust,
  };
};

/** The columns, those with a chosen width marked. Rows are redrawn when a column gets one, not while it is dragged. */
export const sizedColumns = <Row>(columns: readonly Column<Row>[], sized: string): readonly Column<Row>[] => {
  const ids = new Set(sized.split(' '));
  return columns.map((column) => (ids.has(column.id) ? { ...column, isSized: true } : column));
};
