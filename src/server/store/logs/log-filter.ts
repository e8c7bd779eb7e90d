import {
  type Expression,
  type ExpressionBuilder,
  type Kysely,
  type RawBuilder,
  sql,
  type SqlBool,
} from 'kysely';
import type { LogFilter } from '#core/log/log-store.ts';
import type { Schema } from '../database/schema.ts';
import { hasText } from '../database/search.ts';

/** A name by its id, or the ids of all names that contain a part; if there are too many, the part itself. */
export type Named = number | readonly number[] | { readonly part: string };

/** A filter by ids, as both logs and hourly sums store them. `undefined` means any. */
export interface Numbers {
  readonly type: number | undefined;
  readonly user_id: number | undefined;
  readonly token_id: number | undefined;
  readonly token_name_id: Named | undefined;
  readonly model_id: Named | undefined;
  readonly channel_id: number | undefined;
  readonly group_id: number | undefined;
  readonly program_id: number | undefined;
}

/** The times that match a filter, both inclusive. */
export interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

const UNKNOWN = -1;

const numberOfName = async (
  reader: Kysely<Schema>,
  name: string | undefined,
): Promise<number | undefined> => {
  if (name === undefined) return undefined;
  if (name === '') return 0;
  return (
    (await reader.selectFrom('names').select('id').where('name', '=', name).executeTakeFirst())?.id ?? UNKNOWN
  );
};

/** With more names than this the statement would be too long: it looks the names up itself. */
const MOST_LISTED = 200;

/** A leading `=` means the whole name. */
const numbersOfPart = async (reader: Kysely<Schema>, part: string): Promise<Named> => {
  if (part.startsWith('=')) return (await numberOfName(reader, part.slice(1))) ?? UNKNOWN;
  const found = await reader
    .selectFrom('names')
    .select('id')
    .where(hasText(sql.ref('name'), part))
    .limit(MOST_LISTED + 1)
    .execute();
  if (found.length > MOST_LISTED) return { part };
  return found.length === 0 ? UNKNOWN : found.map(({ id }) => id);
};

/** A username means the account that has it now, whatever its name was when the row was written. */
const userIdOf = async (
  reader: Kysely<Schema>,
  { userId, username }: LogFilter,
): Promise<number | undefined> => {
  if (username === undefined) return userId;
  const row = await reader
    .selectFrom('users')
    .select('id')
    .where('username', '=', username)
    .executeTakeFirst();
  if (row === undefined || (userId !== undefined && userId !== row.id)) return UNKNOWN;
  return row.id;
};

/** @returns undefined if no row can match */
export const numbersOf = async (reader: Kysely<Schema>, filter: LogFilter): Promise<Numbers | undefined> => {
  const [user_id, token_name_id, model_id, group_id, program_id] = await Promise.all([
    userIdOf(reader, filter),
    filter.tokenNamePart === undefined ? undefined : numbersOfPart(reader, filter.tokenNamePart),
    filter.modelPart === undefined ? undefined : numbersOfPart(reader, filter.modelPart),
    numberOfName(reader, filter.group),
    numberOfName(reader, filter.program),
  ]);
  const numbers = {
    type: filter.type,
    user_id,
    token_id: filter.tokenId,
    token_name_id,
    model_id,
    channel_id: filter.channelId,
    group_id,
    program_id,
  };
  return Object.values(numbers).includes(UNKNOWN) ? undefined : numbers;
};

/** The requested span, without open ends. */
export const spanOf = ({ fromMs, toMs }: LogFilter): Span => ({
  fromMs: fromMs ?? 0,
  toMs: toMs ?? Number.MAX_SAFE_INTEGER,
});

/** The ids as conditions for either table. */
export const matching =
  (numbers: Numbers) =>
  <Table extends 'logs' | 'usage_hours' | 'log_days'>(
    is: ExpressionBuilder<Schema, Table>,
  ): Expression<SqlBool> => {
    const given = Object.entries(numbers) as [keyof Numbers, Named | undefined][];
    const conditions = given.flatMap(([column, value]) =>
      value === undefined ? [] : [meant(sql.ref(column), value)],
    );
    return conditions.length === 0 ? sql<SqlBool>`1 = 1` : is.and(conditions);
  };

const meant = (column: RawBuilder<unknown>, value: Named): RawBuilder<SqlBool> => {
  if (typeof value === 'number') return sql<SqlBool>`${column} = ${value}`;
  if (!('part' in value)) return sql<SqlBool>`${column} IN (${sql.join(value)})`;
  // Adding 0 keeps the engine from using the name index once for each of many names: it reads the rows of the span one
  // by one instead.
  return sql<SqlBool>`${column} + 0 IN (SELECT names.id FROM names WHERE ${hasText(sql.ref('names.name'), value.part)})`;
};
