import { type SelectQueryBuilder, type Simplify, sql } from 'kysely';
import type { Page, PageRequest } from '#core/paging.ts';
import type { Schema } from './schema.ts';
import { offsetOf } from './search.ts';

/** One page of a query's rows, in its order and then newest first, and the total number of rows. */
export const onePage = async <Table extends keyof Schema, Row, Item>(
  selected: SelectQueryBuilder<Schema, Table, Row>,
  page: PageRequest,
  read: (row: Simplify<Row>) => Item,
): Promise<Page<Item>> => {
  const rows = await selected
    .orderBy(sql.ref('id'), 'desc')
    .limit(page.pageSize)
    .offset(offsetOf(page))
    .execute();
  const { total } = await selected
    .clearSelect()
    .clearOrderBy()
    .select((is) => is.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  return { items: rows.map(read), total };
};
