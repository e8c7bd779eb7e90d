import { type Expression, type ExpressionBuilder, type Kysely, sql, type SqlBool } from 'kysely';
import type { LogFilter } from '#core/log/log-store.ts';
import type { Schema } from './schema.ts';

/** A filter in numbers, as logs and hourly sums both keep them. `undefined` means any. */
export interface Numbers {
  readonly type: number | undefined;
  readonly user_id: number | undefined;
  readonly token_name_id: number | undefined;
  readonly model_id: number | undefined;
  readonly channel_id: number | undefined;
  readonly group_id: number | undefined;
}

/** The times a filter leaves, both inclusive. */
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

/** A username means the account that has it now, whatever it was called when the row was written. */
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

/** @returns undefined when no row can match */
export const numbersOf = async (reader: Kysely<Schema>, filter: LogFilter): Promise<Numbers | undefined> => {
  const [user_id, token_name_id, model_id, group_id] = await Promise.all([
    userIdOf(reader, filter),
    numberOfName(reader, filter.tokenName),
    numberOfName(reader, filter.model),
    numberOfName(reader, filter.group),
  ]);
  const numbers = {
    type: filter.type,
    user_id,
    token_name_id,
    model_id,
    channel_id: filter.channelId,
    group_id,
  };
  return Object.values(numbers).includes(UNKNOWN) ? undefined : numbers;
};

/** The time asked for, without an open end. */
export const spanOf = ({ fromMs, toMs }: LogFilter): Span => ({
  fromMs: fromMs ?? 0,
  toMs: toMs ?? Number.MAX_SAFE_INTEGER,
});

/** The numbers as conditions on either table. */
export const matching =
  (numbers: Numbers) =>
  <Table extends 'logs' | 'usage_hours' | 'log_days'>(
    is: ExpressionBuilder<Schema, Table>,
  ): Expression<SqlBool> => {
    const given = Object.entries(numbers).filter(([, value]) => value !== undefined);
    if (given.length === 0) return sql<SqlBool>`1 = 1`;
    return is.and(given.map(([column, value]) => sql<SqlBool>`${sql.ref(column)} = ${value}`));
  };
