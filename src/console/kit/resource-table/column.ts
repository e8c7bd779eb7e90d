import type { ReactNode } from 'react';
import { classNames } from '../class-names.ts';

/** One column of a ResourceTable. Make the array once (`useMemo`), so that rows are only drawn again when they change. */
export interface Column<Row> {
  /** Stored with the user's column choice; also the sort key sent to `load`. */
  readonly id: string;
  readonly title: string;
  readonly cell: (row: Row) => ReactNode;
  /** For numbers: right-aligned. */
  readonly align?: 'end';
  /** For amounts: as `cell` shows it, or empty. Decimal points of the column stand below each other. */
  readonly amount?: (row: Row) => string;
  /** CSS width; columns without one share the rest. */
  readonly width?: number | string;
  readonly sortable?: boolean;
  /** For cells with two values: their sort keys, each with its own title in the head. */
  readonly sorts?: readonly { readonly id: string; readonly title: string }[];
  /** The user has set its width. */
  readonly isSized?: boolean;
  /** Not shown until the user asks for it. */
  readonly optional?: boolean;
  /** Hides the column when the list is narrower than this, in pixels; the row's details have its cell then. */
  readonly from?: 640 | 720 | 800 | 880 | 960 | 1040 | 1120;
  /** The row's details say it in their own words, and need not have its cell. */
  readonly isDetailed?: boolean;
  /**
   * On phones a row is a card: `title` is its heading, `aside` stands at its right, `plain` has no label, `hidden` is left
   * to its details.
   */
  readonly card?: 'title' | 'aside' | 'plain' | 'hidden';
}

/** The class of a column's cells, its heading among them. */
export const cellClass = (
  { align, from, isSized }: Pick<Column<never>, 'align' | 'from' | 'isSized'>,
  isName: boolean,
): string | undefined =>
  classNames(
    isName && 'table-name',
    align === 'end' && 'table-end number',
    from !== undefined && `table-from-${String(from)}`,
    isSized === true && 'table-sized',
  ) || undefined;

/** The class of what is only seen while one of these columns is hidden. */
export const belowClass = (columns: readonly Pick<Column<never>, 'from'>[]): string | undefined => {
  const widest = Math.max(...columns.map(({ from = Infinity }) => from));
  return widest === Infinity ? undefined : `table-below-${String(widest)}`;
};

/** The CSS variable of a column's chosen width. */
export const widthName = (id: string): `--${string}` => `--width-${id}`;

/** The chosen width of a column, as its cells read it. */
export const cellWidth = ({ id, isSized }: Pick<Column<never>, 'id' | 'isSized'>) =>
  isSized === true ? { '--width': `var(${widthName(id)})` } : undefined;

export interface Sort {
  readonly column: string;
  readonly isDescending: boolean;
}

/** A sort as the API takes it: the column's name, with `-` before it for the largest first. */
export const sortText = (sort: Sort | undefined): string | undefined =>
  sort && `${sort.isDescending ? '-' : ''}${sort.column}`;

/** The requested part of a list, as in the address. All values are text; a missing filter is ''. */
export interface View {
  /** From 1. */
  readonly page: number;
  readonly pageSize: number;
  readonly search: string;
  readonly filters: Readonly<Record<string, string>>;
  readonly sort: Sort | undefined;
}

/** One page of a list, and the number of rows on all pages. */
export interface Page<Row> {
  readonly items: readonly Row[];
  readonly total: number;
}

/** Of these columns those that a list leaves out where it is narrow, and that no details tell in their own words. */
export const yieldingColumns = <Row>(shown: readonly Column<Row>[]): readonly Column<Row>[] =>
  shown.filter(({ from, isDetailed }) => from !== undefined && isDetailed !== true);
