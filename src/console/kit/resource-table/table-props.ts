import type { ReactNode } from 'react';
import type { MenuItem } from '../overlays/menu-list.tsx';
import type { Column, Page, View } from './column.ts';
import type { Filter } from './filter.ts';
import type { useSelection } from './use-selection.ts';
import type { ColumnWidths } from './grid/use-widths.ts';

export interface ResourceTableProps<Row> {
  /** First part of its query key (`useAction({ refresh: [name] })` reloads it) and of what is stored for the user. */
  readonly name: string;
  /** The name of the list for screen readers. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rowId: (row: Row) => number;
  /** The name of a row in "select …" and "edit …". */
  readonly rowName: (row: Row) => string;
  readonly load: (view: View, signal: AbortSignal) => Promise<Page<Row>>;
  readonly filters?: readonly Filter[];
  /** Placeholder of the search box, whose text is `view.search`. Without it there is no box. */
  readonly searchLabel?: string;
  /** Buttons for the selected rows; without it rows cannot be selected. Use BatchButton. */
  readonly batch?: (rows: readonly Row[], clear: () => void) => ReactNode;
  /** Rows cannot be selected for now. Their boxes keep their room, because other widths would lay out every cell again. */
  readonly isBatchOff?: boolean;
  readonly onEdit?: (row: Row) => void;
  /** Loads what editing a row needs; called when somebody is about to. */
  readonly prepareEdit?: () => unknown;
  readonly rowMenu?: (row: Row) => readonly MenuItem[];
  /** Details of a row, shown below it. */
  readonly expand?: (row: Row) => ReactNode;
  /** Greyed rows. */
  readonly isMuted?: (row: Row) => boolean;
  /** Shown when the list is empty without any filter. */
  readonly emptyText: string;
  readonly emptyAction?: ReactNode;
  /** Further controls at the right of the toolbar; may depend on the selected rows. */
  readonly tools?: ReactNode | ((chosen: readonly Row[]) => ReactNode);
  /** Above the rows, for the page that is shown; a function gets it as `load` gave it. */
  readonly above?: ReactNode | ((page: Page<Row> | undefined) => ReactNode);
}

/** What the rows need from the table around them. */
export interface RowParts<Row> {
  readonly shown: readonly Column<Row>[];
  readonly widths: ColumnWidths;
  readonly selection: ReturnType<typeof useSelection>;
  readonly open: ReadonlySet<number>;
  readonly toggleOpen: (id: number) => void;
  readonly current: number | undefined;
  /** Rows have one line. */
  readonly isCompact: boolean;
}
