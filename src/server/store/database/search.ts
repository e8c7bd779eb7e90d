import { type ExpressionBuilder, type StringReference, sql, type SqlBool, type Expression } from 'kysely';
import type { PageRequest } from '#core/paging.ts';
import type { Schema } from './schema.ts';

/** A LIKE pattern that matches this literal text anywhere, or at the start. */
export const likePattern = (text: string, where: 'anywhere' | 'start'): string => {
  const literal = text.replaceAll(/[\\%_]/g, (sign) => `\\${sign}`);
  return where === 'anywhere' ? `%${literal}%` : `${literal}%`;
};

/**
 * Whether a column contains (or starts with) a text, ignoring the case of ASCII letters. SQLite's `lower` changes no
 * other letters, so these are also searched as typed.
 */
export const hasText = (
  column: Expression<unknown>,
  text: string,
  where: 'anywhere' | 'start' = 'anywhere',
): Expression<SqlBool> => {
  return lowHasText(sql`lower(${column})`, text, where);
};

/** `hasText` for what is in lower case already. */
export const lowHasText = (
  low: Expression<unknown>,
  text: string,
  where: 'anywhere' | 'start' = 'anywhere',
): Expression<SqlBool> => {
  const like = (pattern: string) => sql<SqlBool>`${low} LIKE ${pattern} ESCAPE '\\'`;
  const typed = text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());
  if (typed === text.toLowerCase()) return like(likePattern(typed, where));
  return sql<SqlBool>`(${like(likePattern(text.toLowerCase(), where))} OR ${like(likePattern(typed, where))})`;
};

/** `hasText` for a column by its name. */
export const contains = <Table extends keyof Schema>(
  is: ExpressionBuilder<Schema, Table>,
  column: StringReference<Schema, Table>,
  text: string,
  where: 'anywhere' | 'start' = 'anywhere',
): Expression<SqlBool> => hasText(is.ref(column), text, where);

/** The number of rows before a page. */
export const offsetOf = ({ page, pageSize }: PageRequest): number => (page - 1) * pageSize;
