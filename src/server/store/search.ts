import { type ExpressionBuilder, type ReferenceExpression, sql, type SqlBool, type Expression } from 'kysely';
import type { PageRequest } from '#core/paging.ts';
import type { Schema } from './schema.ts';

/** A user's text as a LIKE pattern that matches it anywhere (or at the start), itself and nothing else. */
export const likePattern = (text: string, where: 'anywhere' | 'start'): string => {
  const literal = text.toLowerCase().replaceAll(/[\\%_]/g, (sign) => `\\${sign}`);
  return where === 'anywhere' ? `%${literal}%` : `${literal}%`;
};

/** Whether a column contains (or starts with) a text, whatever the case of its ASCII letters. */
export const contains = <Table extends keyof Schema>(
  is: ExpressionBuilder<Schema, Table>,
  column: ReferenceExpression<Schema, Table>,
  text: string,
  where: 'anywhere' | 'start' = 'anywhere',
): Expression<SqlBool> =>
  sql<SqlBool>`lower(${is.ref(column as never)}) LIKE ${likePattern(text, where)} ESCAPE '\\'`;

/** Where a page starts. */
export const offsetOf = ({ page, pageSize }: PageRequest): number => (page - 1) * pageSize;
