import './small-table.css';
import type { ReactNode } from 'react';
import { useIsPhone } from '../../lib/browser/media.ts';
import { StackedRows } from '../charts/stacked-rows.tsx';

interface SmallColumn {
  readonly title: string;
  /** Numbers stand at the right. */
  readonly align?: 'end';
  /** For screen readers only: buttons need no title. */
  readonly hidden?: boolean;
}

interface SmallRow {
  readonly id: string;
  readonly cells: readonly ReactNode[];
}

interface SmallTableProps {
  /** The table's name for screen readers. */
  readonly label: string;
  readonly columns: readonly SmallColumn[];
  /** One list of cells a row, in the order of the columns. */
  readonly rows: readonly SmallRow[];
  /** Stacks its rows on phones, if its columns have no room there. */
  readonly isStackable?: boolean;
  /** Sums below a line. A sum also takes the room of the empty cells before it. */
  readonly foot?: readonly SmallRow[];
}

/** A small table inside other content: a breakdown, a comparison. Lists use ResourceTable. */
export const SmallTable = ({ isStackable = false, ...table }: SmallTableProps) => {
  const isPhone = useIsPhone();
  if (!isStackable || !isPhone) return <Rows {...table} />;
  return <StackedRows label={table.label} titles={table.columns} rows={table.rows} />;
};

const Rows = ({ label, columns, rows, foot = [] }: Omit<SmallTableProps, 'isStackable'>) => {
  const cellOf = ({ title, align }: SmallColumn, cell: ReactNode, span?: number) => (
    <td key={title} colSpan={span} className={align === 'end' ? 'small-end number' : undefined}>
      {cell}
    </td>
  );
  const line = ({ id, cells }: SmallRow) => (
    <tr key={id}>{columns.map((column, at) => cellOf(column, cells[at]))}</tr>
  );
  // A sum is longer than the numbers above it, so it spans the empty cells before it.
  const sum = ({ id, cells }: SmallRow) => (
    <tr key={id}>
      {columns.map((column, at) => {
        const before = cells.slice(0, at);
        const span = at - before.findLastIndex((cell) => cell !== '');
        return cells[at] === '' && at < columns.length - 1 ? null : cellOf(column, cells[at], span);
      })}
    </tr>
  );
  return (
    <div className="small-table-scroll" tabIndex={0} role="group" aria-label={label}>
      <table className="small-table" aria-label={label}>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.title} scope="col" className={column.align === 'end' ? 'small-end' : undefined}>
                {column.hidden === true ? (
                  <span className="hidden-visually">{column.title}</span>
                ) : (
                  column.title
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{rows.map(line)}</tbody>
        {foot.length > 0 && <tfoot>{foot.map(sum)}</tfoot>}
      </table>
    </div>
  );
};
