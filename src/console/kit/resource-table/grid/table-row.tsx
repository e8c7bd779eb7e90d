import { IconDots, IconMinus, IconPlus } from '@tabler/icons-react';
import { memo, type ReactNode, Suspense, useDeferredValue } from 'react';
import { useTranslation } from '../../../lib/text/i18n.ts';
import { classNames } from '../../class-names.ts';
import { lazyGeneric } from '../../lazy-generic.ts';
import { Menu } from '../../overlays/menu.tsx';
import { type MenuItem } from '../../overlays/menu-list.tsx';
import { decimalRoom } from '../../../lib/text/format.ts';
import { belowClass, cellClass, cellWidth, type Column } from '../column.ts';
import type { DrawnRows } from './use-drawn-rows.ts';

const LeftOutCells = lazyGeneric(() => import('./left-out-cells.tsx'));

interface RowMoreProps<Row> {
  readonly row: Row;
  /** Columns that the list leaves out. */
  readonly columns: readonly Column<Row>[];
  readonly expand: ((row: Row) => ReactNode) | undefined;
}

/** The details of a row, after the cells for which its list has no room. */
export const RowMore = <Row,>({ row, columns, expand }: RowMoreProps<Row>) => (
  <Suspense>
    {columns.length > 0 && <LeftOutCells row={row} columns={columns} />}
    {expand?.(row)}
  </Suspense>
);

interface TableRowProps<Row> {
  readonly id: number;
  readonly row: Row;
  readonly name: string;
  readonly columns: readonly Column<Row>[];
  readonly isChosen: boolean;
  readonly isOpen: boolean;
  readonly isCurrent: boolean;
  readonly isMuted: boolean;
  /** One line. */
  readonly isCompact: boolean;
  readonly isChoosable: boolean;
  /** The box has its room, but is not there. */
  readonly isBatchOff: boolean;
  readonly expand: ((row: Row) => ReactNode) | undefined;
  /** Columns whose cells are in the row's details while the list is narrow. */
  readonly yielding: readonly Column<Row>[];
  /** The height of the row while only its name is drawn; undefined once all cells are. */
  readonly heightPx: number | undefined;
  readonly watch: DrawnRows['watch'];
  readonly onToggle: (id: number) => void;
  readonly onEdit: ((row: Row) => void) | undefined;
  readonly prepareEdit: (() => unknown) | undefined;
  readonly rowMenu: ((row: Row) => readonly MenuItem[]) | undefined;
}

const Row = <Data,>(props: TableRowProps<Data>) => {
  const { id, row, name, columns, isChosen, isOpen, isCurrent, isMuted, isChoosable, isBatchOff } = props;
  const { expand, yielding, heightPx, watch, onToggle } = props;
  const { t } = useTranslation();
  const hasFold = expand !== undefined || yielding.length > 0;
  // Without details of its own there is only something to unfold while columns are hidden.
  const foldClass = expand === undefined ? belowClass(yielding) : undefined;
  const hasLead = isChoosable || hasFold;
  const hasActions = props.onEdit !== undefined || props.rowMenu !== undefined;
  const all = columns.length + (hasLead ? 1 : 0) + (hasActions ? 1 : 0);
  const isFar = heightPx !== undefined && !isOpen;
  // The press is seen before the details are drawn.
  const isUnfolded = useDeferredValue(isOpen);
  return (
    <>
      <tr
        ref={watch}
        data-row={id}
        aria-selected={isChoosable && !isBatchOff ? isChosen : undefined}
        className={classNames(
          // Far rows are not seen: of a hundred rows chosen at once, eighty are neither styled nor painted.
          isChosen && !isFar && 'row-chosen',
          isMuted && 'row-muted',
          props.isCompact && 'row-compact',
          isCurrent && 'row-current',
          isFar && 'row-far',
        )}
        style={isFar ? { height: heightPx } : undefined}
      >
        {isFar && (
          <td>
            <span>{name}</span>
          </td>
        )}
        {!isFar && hasLead && (
          <td className={classNames('table-lead', !isChoosable && foldClass)}>
            <span>
              {hasFold && (
                <button
                  type="button"
                  className={classNames('row-fold', foldClass)}
                  aria-expanded={isOpen}
                  aria-label={t('table.detailsOf', { name })}
                  onClick={() => onToggle(id)}
                >
                  {isOpen ? <IconMinus size={14} /> : <IconPlus size={14} />}
                </button>
              )}
              {isChoosable && (
                <input
                  type="checkbox"
                  className={classNames('checkbox', isBatchOff && 'row-unboxed')}
                  checked={isChosen}
                  readOnly
                  data-choose={id}
                  aria-label={t('table.select', { name })}
                />
              )}
            </span>
          </td>
        )}
        {!isFar && <Cells row={row} columns={columns} />}
        {!isFar && hasActions && (
          <td className="table-actions">
            <RowActions
              row={row}
              name={name}
              onEdit={props.onEdit}
              prepareEdit={props.prepareEdit}
              rowMenu={props.rowMenu}
            />
          </td>
        )}
      </tr>
      {isUnfolded && hasFold && (
        <tr className={classNames('row-more', foldClass)}>
          <td colSpan={all}>
            <RowMore row={row} columns={yielding} expand={expand} />
          </td>
        </tr>
      )}
    </>
  );
};

/** Drawn again only when the row or the columns change: selecting a hundred rows only redraws their checkboxes. */
export const TableRow = memo(Row) as typeof Row;

const CellsOf = <Data,>({
  row,
  columns,
}: {
  readonly row: Data;
  readonly columns: readonly Column<Data>[];
}) => (
  <>
    {columns.map((column, at) => (
      <td
        key={column.id}
        className={cellClass(column, at === 0)}
        style={{ ...cellWidth(column), ...decimalRoom(column) }}
      >
        {column.cell(row)}
      </td>
    ))}
  </>
);

const Cells = memo(CellsOf) as typeof CellsOf;

type RowActionsProps<Data> = Pick<TableRowProps<Data>, 'row' | 'name' | 'onEdit' | 'prepareEdit' | 'rowMenu'>;

/** "Edit" in words and the rest in a menu. */
export const RowActions = <Data,>({ row, name, onEdit, prepareEdit, rowMenu }: RowActionsProps<Data>) => {
  const { t } = useTranslation();
  return (
    <span className="row-actions">
      {onEdit !== undefined && (
        <button
          type="button"
          className="row-edit"
          aria-label={t('table.editNamed', { name })}
          onPointerEnter={prepareEdit}
          onFocus={prepareEdit}
          onClick={() => onEdit(row)}
        >
          {t('action.edit')}
        </button>
      )}
      {rowMenu !== undefined && (
        <Menu label={t('table.moreOf', { name })} items={() => rowMenu(row)} tip={false}>
          <IconDots size={17} />
        </Menu>
      )}
    </span>
  );
};
