import { IconArrowDown, IconArrowsVertical, IconArrowUp } from '@tabler/icons-react';
import {
  type ChangeEvent,
  Suspense,
  type SyntheticEvent,
  useCallback,
  useDeferredValue,
  useLayoutEffect,
  useMemo,
  useRef,
} from 'react';
import { late } from '../../late.tsx';
import { useTranslation } from '../../../lib/text/i18n.ts';
import { classNames } from '../../class-names.ts';
import { decimalRooms } from '../../../lib/text/format.ts';
import {
  belowClass,
  cellClass,
  cellWidth,
  type Column,
  type Sort,
  widthName,
  yieldingColumns,
} from '../column.ts';
import type { ResourceTableProps, RowParts } from '../table-props.ts';
import { TableRow } from './table-row.tsx';
import { useEdges } from './use-edges.ts';
import { useDrawnRows } from './use-drawn-rows.ts';
import { useSteadyWidths } from './use-steady-widths.ts';
import { useTurnedRows } from './use-turned-rows.ts';
import type { ColumnWidths } from './use-widths.ts';

/** Loaded late: nobody drags an edge in the first second. */
const ColumnGrip = late(() => import('./column-grip.tsx'));

export interface RowsProps<Row> {
  readonly table: ResourceTableProps<Row>;
  readonly rows: readonly Row[];
  readonly parts: RowParts<Row>;
  readonly sort: Sort | undefined;
  readonly onSort: (column: string) => void;
}

/** The rows as a real table. One listener hears every checkbox. */
export const TableGrid = <Row,>({ table, rows: latest, parts, sort, onSort }: RowsProps<Row>) => {
  const { t } = useTranslation();
  const edges = useEdges();
  // Deferred, so that drawing rows does not delay typing in the search.
  const rows = useDeferredValue(latest);
  const ids = rows.map(table.rowId);
  const drawn = useDrawnRows(ids);
  const { shown, widths, selection, open, toggleOpen, current } = parts;
  const places = new Map(ids.filter(drawn.isDrawn).map((id, place) => [id, place]));
  const isCompact = useTurnedRows(parts.isCompact, places.size);
  const steady = useSteadyWidths(shown);
  const yielding = useMemo(() => yieldingColumns(shown), [shown]);
  const { batch, isBatchOff = false, expand } = table;
  const { onEdit, prepareEdit, rowMenu } = useSteadyActions(table);
  const hasActions = onEdit !== undefined || rowMenu !== undefined;
  // Rows without actions contain nothing focusable, so the list itself can have the focus and be scrolled by keys.
  const isReadOnly = !hasActions && batch === undefined && expand === undefined;

  const choose = (event: ChangeEvent<HTMLTableSectionElement>): void => {
    const box: EventTarget = event.target;
    if (!(box instanceof HTMLInputElement) || box.dataset['choose'] === undefined) return;
    const isRange = event.nativeEvent instanceof MouseEvent && event.nativeEvent.shiftKey;
    selection.toggle(Number(box.dataset['choose']), isRange);
  };
  const keep = ({ target }: SyntheticEvent): void => {
    const row = target instanceof Element ? target.closest<HTMLElement>('[data-row]') : null;
    if (row !== null) drawn.keep(Number(row.dataset['row']));
  };
  const hasLead = expand !== undefined || batch !== undefined || yielding.length > 0;
  const leadClass = expand === undefined && batch === undefined ? belowClass(yielding) : undefined;
  return (
    <div
      ref={edges}
      className="table-scroll"
      {...(isReadOnly ? { tabIndex: 0, role: 'group', 'aria-label': table.label } : {})}
    >
      <table
        className="table"
        aria-label={table.label}
        style={{
          ...decimalRooms(shown, rows),
          ...Object.fromEntries(
            Object.entries(widths.px).map(([id, px]) => [widthName(id), `${String(px)}px`]),
          ),
        }}
      >
        <colgroup ref={steady}>
          {hasLead && <col className={leadClass} />}
          {shown.map((column, at) => (
            <col key={column.id} className={cellClass(column, at === 0)} />
          ))}
          {hasActions && <col />}
        </colgroup>
        <thead>
          <tr>
            {hasLead && (
              <th scope="col" className={classNames('table-lead', leadClass)}>
                {batch === undefined || isBatchOff ? (
                  <span className="hidden-visually">{t('table.unfold')}</span>
                ) : (
                  <ChooseAll count={selection.ids.size} total={rows.length} onChange={selection.toggleAll} />
                )}
              </th>
            )}
            {shown.map((column, at) => (
              <HeadCell
                key={column.id}
                column={column}
                isName={at === 0}
                sort={sort}
                onSort={onSort}
                widths={widths}
              />
            ))}
            {hasActions && (
              <th scope="col" className="table-actions">
                <span className="hidden-visually">{t('table.actions')}</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody onChange={choose} onFocus={keep} onPointerDown={keep}>
          {rows.map((row) => {
            const id = table.rowId(row);
            return (
              <TableRow
                key={drawn.keyOf(id)}
                id={id}
                row={row}
                name={table.rowName(row)}
                columns={shown}
                isChosen={selection.ids.has(id)}
                isOpen={open.has(id)}
                isCurrent={current === id}
                isMuted={table.isMuted?.(row) === true}
                isCompact={isCompact(places.get(id))}
                isChoosable={batch !== undefined}
                isBatchOff={isBatchOff}
                expand={expand}
                yielding={yielding}
                heightPx={drawn.heightOf(id)}
                watch={drawn.watch}
                onToggle={toggleOpen}
                onEdit={onEdit}
                prepareEdit={prepareEdit}
                rowMenu={rowMenu}
              />
            );
          })}
        </tbody>
      </table>
    </div>
  );
};

/** Stable functions for the rows: pages create new ones on every render, and rows with new functions would be drawn again. */
const useSteadyActions = <Row,>(table: ResourceTableProps<Row>) => {
  const latest = useRef(table);
  useLayoutEffect(() => {
    latest.current = table;
  }, [table]);
  const onEdit = useCallback((row: Row) => latest.current.onEdit?.(row), []);
  const prepareEdit = useCallback(() => latest.current.prepareEdit?.(), []);
  const rowMenu = useCallback((row: Row) => latest.current.rowMenu?.(row) ?? [], []);
  return {
    onEdit: table.onEdit === undefined ? undefined : onEdit,
    prepareEdit: table.prepareEdit === undefined ? undefined : prepareEdit,
    rowMenu: table.rowMenu === undefined ? undefined : rowMenu,
  };
};

const ChooseAll = ({
  count,
  total,
  onChange,
}: {
  readonly count: number;
  readonly total: number;
  readonly onChange: () => void;
}) => {
  const { t } = useTranslation();
  const isSome = count > 0 && count < total;
  return (
    <input
      type="checkbox"
      className="checkbox"
      aria-label={t('table.selectAll')}
      checked={count === total}
      ref={(box) => {
        if (box !== null) box.indeterminate = isSome;
      }}
      onChange={onChange}
    />
  );
};

const marks = { none: IconArrowsVertical, descending: IconArrowDown, ascending: IconArrowUp };

interface HeadCellProps<Row> {
  readonly column: Column<Row>;
  /** The first column, which stays visible while scrolling. */
  readonly isName: boolean;
  readonly sort: Sort | undefined;
  readonly onSort: (column: string) => void;
  readonly widths: ColumnWidths;
}

const HeadCell = <Row,>({ column, isName, sort, onSort, widths }: HeadCellProps<Row>) => {
  const sorts = column.sorts ?? (column.sortable === true ? [column] : []);
  const sorted = sorts.find(({ id }) => id === sort?.column);
  const order = sorted && (sort?.isDescending === true ? 'descending' : 'ascending');
  return (
    <th
      scope="col"
      aria-sort={order}
      className={cellClass(column, isName)}
      style={cellWidth(column) ?? { width: column.width }}
    >
      {sorts.length === 0 || widths.isAdjusting
        ? column.title
        : sorts.map((one) => {
            const Mark = marks[(one === sorted && order) || 'none'];
            return (
              <button key={one.id} type="button" className="table-sort" onClick={() => onSort(one.id)}>
                {one.title}
                <Mark size={11} />
              </button>
            );
          })}
      <Suspense>
        <ColumnGrip id={column.id} title={column.title} widths={widths} />
      </Suspense>
    </th>
  );
};
