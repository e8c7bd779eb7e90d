import './left-out-cells.css';
import { Fact } from '../../fact.tsx';
import { belowClass, type Column } from '../column.ts';

interface LeftOutCellsProps<Row> {
  readonly row: Row;
  /** Columns that are left out, now or where the list is narrow. */
  readonly columns: readonly Column<Row>[];
}

/** The cells of a row for which its list has no room, as facts in its details. */
const LeftOutCells = <Row,>({ row, columns }: LeftOutCellsProps<Row>) => (
  <dl className={`left-out-cells ${belowClass(columns)}`}>
    {columns.map((column) => (
      <Fact key={column.id} title={column.title} className={belowClass([column])}>
        {column.cell(row)}
      </Fact>
    ))}
  </dl>
);

export default LeftOutCells;
