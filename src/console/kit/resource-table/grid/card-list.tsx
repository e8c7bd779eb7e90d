import '../table-late.css';
import { memo } from 'react';
import { useTranslation } from '../../../lib/text/i18n.ts';
import { classNames } from '../../class-names.ts';
import type { Column } from '../column.ts';
import type { RowsProps } from './table-grid.tsx';
import { RowActions, RowMore } from './table-row.tsx';
import { useGrowing } from './use-growing.ts';

/** Cards drawn in one step: a phone shows four or five, and ten are a tenth of a second of its processor. */
const STEP = 3;

/** The rows of a table on a phone: one card each. */
const CardList = <Row,>({ table, rows, parts }: RowsProps<Row>) => {
  const drawn = useGrowing(rows.map(table.rowId), STEP);
  return (
    <ul className="cards" aria-label={table.label}>
      {rows.slice(0, drawn).map((row) => {
        const id = table.rowId(row);
        return (
          <li
            key={id}
            data-row={id}
            className={classNames(
              'card',
              parts.selection.ids.has(id) && 'row-chosen',
              table.isMuted?.(row) && 'row-muted',
            )}
          >
            <Card id={id} row={row} table={table} parts={parts} />
          </li>
        );
      })}
    </ul>
  );
};

type CardProps<Row> = Pick<RowsProps<Row>, 'table' | 'parts'> & { readonly id: number; readonly row: Row };

const CardOf = <Row,>({ id, row, table, parts }: CardProps<Row>) => {
  const { t } = useTranslation();
  const { shown, selection, open, toggleOpen } = parts;
  const name = table.rowName(row);
  const title = shown.find((column) => column.card === 'title') ?? shown[0];
  const aside = shown.find((column) => column.card === 'aside');
  const lines = shown.filter((column) => column !== title && column !== aside && column.card !== 'hidden');
  const hidden = shown.filter((column) => column.card === 'hidden' && column.isDetailed !== true);
  const hasMore = table.expand !== undefined || hidden.length > 0;
  return (
    <>
      <div className="card-head">
        {table.batch !== undefined && table.isBatchOff !== true && (
          <input
            type="checkbox"
            className="checkbox"
            checked={selection.ids.has(id)}
            aria-label={t('table.select', { name })}
            onChange={() => selection.toggle(id)}
          />
        )}
        <div className="card-title">{title?.cell(row)}</div>
        {aside?.cell(row)}
      </div>
      <div className="card-lines">
        {lines.map((column) => (
          <CardLine key={column.id} column={column} row={row} />
        ))}
      </div>
      {(hasMore || (table.onEdit ?? table.rowMenu) !== undefined) && (
        <div className="card-foot">
          {hasMore && (
            <button
              type="button"
              className="row-edit"
              aria-expanded={open.has(id)}
              aria-label={t('table.detailsOf', { name })}
              onClick={() => toggleOpen(id)}
            >
              {t('table.details')}
            </button>
          )}
          <RowActions
            row={row}
            name={name}
            onEdit={table.onEdit}
            prepareEdit={table.prepareEdit}
            rowMenu={table.rowMenu}
          />
        </div>
      )}
      {open.has(id) && hasMore && (
        <div className="card-more">
          <RowMore row={row} columns={hidden} expand={table.expand} />
        </div>
      )}
    </>
  );
};

/** Not drawn again with each step of the list. */
const Card = memo(CardOf) as typeof CardOf;

const CardLine = <Row,>({ column, row }: { readonly column: Column<Row>; readonly row: Row }) =>
  column.card === 'plain' ? (
    <div className="card-plain" data-column={column.id}>
      {column.cell(row)}
    </div>
  ) : (
    <div className="card-line" data-column={column.id}>
      <span className="meta">{column.title}</span>
      <span>{column.cell(row)}</span>
    </div>
  );

export default CardList;
