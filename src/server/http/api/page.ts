import { type PageQuery, sizeOf } from '#contract/paging.ts';
import type { Page, PageRequest } from '#core/paging.ts';

/** The requested page of a list, and its order: `-name` is descending. */
export const pageRequest = (query: PageQuery): PageRequest => ({
  page: query.p,
  pageSize: sizeOf(query),
  ...(query.sort !== undefined && {
    sort: { key: query.sort.replace(/^-/, ''), isDescending: query.sort.startsWith('-') },
  }),
});

/** A page of rows, in the form every list is returned in. */
export const pageOf = <Row, Item>(page: Page<Row>, query: PageQuery, item: (row: Row) => Item) => ({
  items: page.items.map(item),
  total: page.total,
  page: query.p,
  page_size: sizeOf(query),
});

/** Times are milliseconds inside and whole seconds in the API. */
export const toSeconds = (ms: number): number => Math.floor(ms / 1000);
