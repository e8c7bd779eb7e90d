import { Fact } from '../../fact.tsx';
import { belowClass, type Column } from '../column.ts';

interface LeftOutCellsProps<Row> {
  readonly row: Row;
  /** Columns that are left out, now or where the list is narrow. */
  readonly columns: readonly Column<Row>[];
}

/** The cells of a row for which its list has no room, as facts in its details. */
export const LeftOutCells = <Row,>({ row, columns }: LeftOutCellsProps<Row>) => (
  <dl className={`left-out-cells ${belowClass(columns)}`}>
    {columns.map((column) => (
      <Fact key={column.id} title={column.title} className={belowClass([column])}>
        {column.cell(row)}
      </Fact>
    ))}
  </dl>
);

/** Of these columns those that a list leaves out where it is narrow, and that no details tell in their own words. */
export const yieldingColumns = <Row,>(shown: readonly Column<Row>[]): readonly Column<Row>[] =>
  shown.filter(({ from, isDetailed }) => from !== undefined && isDetailed !== true);

/** The same of cards. */
export const columnsWithoutCard = <Row,>(shown: readonly Column<Row>[]): readonly Column<Row>[] =>
  shown.filter(({ card, isDetailed }) => card === 'hidden' && isDetailed !== true);
