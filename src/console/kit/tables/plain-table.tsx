import './table-head.css';
import './plain-table.css';
import { IconArrowDown, IconArrowsVertical, IconArrowUp } from '@tabler/icons-react';
import { memo, type ReactNode } from 'react';
import { classNames } from '../class-names.ts';
import { decimalRoom, decimalRooms } from '../../lib/text/format.ts';

export interface PlainColumn<Row> {
  /** Also the name in `sort`. */
  readonly id: string;
  readonly title: string;
  /** Right-aligned, for numbers. */
  readonly align?: 'end';
  /** For amounts: as `cell` shows it, or empty. Decimal points of the column stand below each other. */
  readonly amount?: (row: Row) => string;
  readonly sortable?: boolean;
  /** Hides the column when the table is narrower than this, in pixels. */
  readonly from?: 480 | 760 | 1000;
  readonly cell: (row: Row) => ReactNode;
}

interface PlainTableProps<Row> {
  /** The table's name for screen readers. */
  readonly label: string;
  /** The first cell is the row's heading; put `RowOpener` into it if a row can be opened. */
  readonly columns: readonly PlainColumn<Row>[];
  readonly rows: readonly Row[];
  readonly rowId: (row: Row) => string;
  /** A column's id, with `-` before it for the largest first; empty for the list's own order. */
  readonly sort: string;
  readonly onSort: (sort: string | undefined) => void;
}

/** Cycles through ascending, descending and the list's own order. */
const nextSort = (sort: string, id: string): string | undefined => {
  if (sort === id) return `-${id}`;
  return sort === `-${id}` ? undefined : id;
};

const classOf = ({ align, from }: PlainColumn<never>): string | undefined =>
  classNames(align === 'end' && 'plain-end number', from !== undefined && `plain-from-${from}`) || undefined;

/** A sortable table of loaded data, for pages that visitors see. Paged lists use ResourceTable. */
export const PlainTable = <Row,>({ label, columns, rows, rowId, sort, onSort }: PlainTableProps<Row>) => (
  <div className="plain-table-frame">
    <table className="plain-table" aria-label={label} style={decimalRooms(columns, rows)}>
      <thead>
        <tr>
          {columns.map((column) => (
            <HeadCell key={column.id} column={column} sort={sort} onSort={onSort} />
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <PlainRow key={rowId(row)} row={row} columns={columns} />
        ))}
      </tbody>
    </table>
  </div>
);

const RowOf = <Row,>({
  row,
  columns,
}: {
  readonly row: Row;
  readonly columns: readonly PlainColumn<Row>[];
}) => (
  <tr>
    {columns.map((column, at) =>
      at === 0 ? (
        <th key={column.id} scope="row">
          {column.cell(row)}
        </th>
      ) : (
        <td key={column.id} className={classOf(column)} style={decimalRoom(column)}>
          {column.cell(row)}
        </td>
      ),
    )}
  </tr>
);

/** Drawn again only when the row or the columns change: rows that stay in a filtered list are left alone. */
const PlainRow = memo(RowOf) as typeof RowOf;

interface HeadCellProps<Row> extends Pick<PlainTableProps<Row>, 'sort' | 'onSort'> {
  readonly column: PlainColumn<Row>;
}

const HeadCell = <Row,>({ column, sort, onSort }: HeadCellProps<Row>) => {
  const { id, title } = column;
  const order = sort === id ? 'ascending' : sort === `-${id}` ? 'descending' : undefined;
  const Icon =
    order === undefined ? IconArrowsVertical : order === 'descending' ? IconArrowDown : IconArrowUp;
  return (
    <th scope="col" aria-sort={order} className={classOf(column)}>
      {column.sortable === true ? (
        <button type="button" className="table-sort" onClick={() => onSort(nextSort(sort, id))}>
          {title}
          <Icon size={11} aria-hidden />
        </button>
      ) : (
        title
      )}
    </th>
  );
};

/** The button that opens a row. A click anywhere on the row counts as a click on it. */
export const RowOpener = ({
  onOpen,
  children,
}: {
  readonly onOpen: () => void;
  readonly children: ReactNode;
}) => (
  <button type="button" className="plain-open mono" onClick={onOpen}>
    {children}
  </button>
);
