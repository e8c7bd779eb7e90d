import { late } from '../late.tsx';
import type { ResourceTableProps, RowParts } from './table-props.ts';
import '../tables/table-head.css';
import './resource-table.css';
import './grid/table-fit.css';
import './grid/table-parts.css';
import './grid/column-widths.css';
import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { useTranslation } from '../../lib/text/i18n.ts';
import { useHasCards } from '../../lib/browser/media.ts';
import { useLasting } from '../../lib/browser/use-lasting.ts';
import { Button } from '../button.tsx';
import { classNames } from '../class-names.ts';
import { lazyGeneric } from '../lazy-generic.ts';
import { EmptyState, ErrorState } from '../states.tsx';
import type { Page } from './column.ts';
import type { Filter } from './filter.ts';
import { TableGrid } from './grid/table-grid.tsx';
import { TableSkeleton } from './grid/table-skeleton.tsx';
import { Toolbar } from './toolbar/toolbar.tsx';
import { useColumns } from './grid/use-columns.ts';
import { useDensity } from './use-density.ts';
import { useSelection } from './use-selection.ts';
import { useView } from './use-view.ts';
import { sizedColumns, useWidths } from './grid/use-widths.ts';

const BatchBar = late(() => import('./batch-bar.tsx'));
const Pager = late(() => import('./pager.tsx'));
const loadKeys = () => import('./grid/table-keys.tsx');
const TableKeys = late(loadKeys);
// Before there are rows to move between; where that fails, the table loads it again.
loadKeys().catch(() => undefined);
const CardList = lazyGeneric(() => import('./grid/card-list.tsx'));

/** Waits for key presses that happened while the new view was drawn, before data is requested. */
const nextTask = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));

/** Old rows are marked as old only after this time: most answers are faster. */
const OLD_AFTER_MS = 300;

const NO_FILTERS: readonly Filter[] = [];
const NO_ROWS: readonly never[] = [];

/**
 * A list with columns, pages and row actions. It owns search, filters, sorting and paging (in the address), page size and
 * column choice (stored), selection, keys, cards on phones, and the loading, empty, filtered-empty and error states.
 */
export const ResourceTable = <Row,>(props: ResourceTableProps<Row>) => {
  const { name, columns, load, rowId, filters = NO_FILTERS, onEdit } = props;
  const batch = props.isBatchOff === true ? undefined : props.batch;
  const controls = useView(filters);
  const { view } = controls;
  const query = useQuery({
    queryKey: [name, view],
    queryFn: async ({ signal }) => {
      await nextTask();
      return load(view, signal);
    },
    placeholderData: keepPreviousData,
  });
  const rows: readonly Row[] = query.data?.items ?? NO_ROWS;
  const ids = rows.map(rowId);
  const choice = useColumns(name, columns);
  const density = useDensity();
  const widths = useWidths(name);
  const shown = sizedColumns(choice.shown, Object.keys(widths.px).join(' '));
  const selection = useSelection(batch === undefined ? NO_ROWS : ids);
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set());
  const toggleOpen = (id: number): void => setOpen((before) => turned(before, id));
  const byId = (id: number): Row | undefined => rows.find((row) => rowId(row) === id);
  const [keyed, setKeyed] = useState<number>();
  const current = keyed !== undefined && ids.includes(keyed) ? keyed : undefined;
  const edit = (id: number): void => {
    const row = byId(id);
    if (row !== undefined) onEdit?.(row);
  };
  const chosen = rows.filter((row) => selection.ids.has(rowId(row)));

  return (
    <section className="resource" aria-label={props.label} aria-busy={query.isFetching}>
      <Toolbar
        filters={filters}
        controls={controls}
        name={name}
        columns={columns}
        choice={choice}
        density={density}
        widths={widths}
        searchLabel={props.searchLabel}
        tools={typeof props.tools === 'function' ? props.tools(chosen) : props.tools}
      />
      {typeof props.above === 'function' ? props.above(query.data) : props.above}
      <Found query={query} />
      <TableBody
        {...props}
        query={query}
        rows={rows}
        controls={controls}
        parts={{ shown, widths, selection, open, toggleOpen, current, isCompact: density.isCompact }}
      />
      <Suspense>
        <TableKeys
          ids={ids}
          current={current}
          onCurrent={setKeyed}
          select={batch && selection.toggle}
          edit={onEdit && edit}
          expand={toggleOpen}
          clear={selection.clear}
        />
      </Suspense>
      {query.data !== undefined && query.data.total > 0 && (
        <Suspense fallback={<div className="pager" />}>
          <Pager total={query.data.total} controls={controls} isOld={query.isPlaceholderData} />
        </Suspense>
      )}
      {batch !== undefined && chosen.length > 0 && (
        <Suspense>
          <BatchBar count={chosen.length} onClear={selection.clear}>
            {batch(chosen, selection.clear)}
          </BatchBar>
        </Suspense>
      )}
    </section>
  );
};

/** Announces the number of rows to screen readers after each search and filter. */
const Found = ({ query }: { readonly query: UseQueryResult<Page<unknown>> }) => {
  const { t } = useTranslation();
  const { data, isPlaceholderData } = query;
  return (
    <p className="hidden-visually" role="status">
      {data !== undefined && !isPlaceholderData && t('table.found', { count: data.total })}
    </p>
  );
};

const turned = (ids: ReadonlySet<number>, id: number): ReadonlySet<number> => {
  const next = new Set(ids);
  if (!next.delete(id)) next.add(id);
  return next;
};

interface TableBodyProps<Row> extends ResourceTableProps<Row> {
  readonly query: UseQueryResult<Page<Row>>;
  readonly rows: readonly Row[];
  readonly controls: ReturnType<typeof useView>;
  readonly parts: RowParts<Row>;
}

const TableBody = <Row,>(props: TableBodyProps<Row>) => {
  const { query, rows, controls, parts } = props;
  const hasCards = useHasCards();
  const isOld = useLasting(OLD_AFTER_MS, query.isPlaceholderData);
  const skeleton = <TableSkeleton columns={parts.shown} rows={Math.min(controls.view.pageSize, 10)} />;
  if (query.data === undefined) {
    return query.isError ? (
      <div className="table-frame">
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      </div>
    ) : (
      skeleton
    );
  }
  if (rows.length === 0) return <Nothing {...props} />;
  const Rows = hasCards ? CardList<Row> : TableGrid<Row>;
  const body = (
    <div className={classNames('table-frame', hasCards && 'table-frame-cards', isOld && 'table-old')}>
      <Rows table={props} rows={rows} parts={parts} sort={controls.view.sort} onSort={controls.sortBy} />
    </div>
  );
  return <Suspense fallback={skeleton}>{body}</Suspense>;
};

const Nothing = <Row,>({ controls, emptyText, emptyAction }: TableBodyProps<Row>) => {
  const { t } = useTranslation();
  return (
    <div className="table-frame">
      {controls.isNarrowed || controls.view.page > 1 ? (
        <EmptyState text={t('table.nothingFound')}>
          <Button onClick={() => controls.clear()}>{t('table.clearFilters')}</Button>
        </EmptyState>
      ) : (
        <EmptyState text={emptyText}>
          <div className="empty-actions">{emptyAction}</div>
        </EmptyState>
      )}
    </div>
  );
};
