import { tokenStatus } from '#contract/codes.ts';
import { MAX_QUOTA_UNITS } from '#contract/limits.ts';
import type { Page, PageRequest } from '#core/paging.ts';
import type { Token } from '#core/token/token.ts';
import type { NewToken, TokenChanges, TokenStore, TokenWithKey } from '#core/token/token-store.ts';
import {
  CompiledQuery,
  type ExpressionBuilder,
  type Expression,
  type Kysely,
  sql,
  type SqlBool,
} from 'kysely';
import type { Database } from '../database/database.ts';
import { onePage, type SortValues } from '../database/one-page.ts';
import type { Schema, TokenRecord, UserRecord } from '../database/schema.ts';
import { contains } from '../database/search.ts';
import { settingsFromRow, settingsToRow } from '../database/token-columns.ts';
import { keepTag } from './token-tags.ts';
import { userOf } from './user-store.ts';

/** Converts a row to a token. */
export const tokenOf = (row: TokenRecord): Token => ({
  id: row.id,
  userId: row.user_id,
  name: row.name,
  status: row.status,
  createdAtMs: row.created_at,
  accessedAtMs: row.accessed_at,
  usedQuotaUnits: row.used_quota,
  heldUnits: row.held,
  ...settingsFromRow.all(row),
});

const withKey = (row: TokenRecord): TokenWithKey => ({
  ...tokenOf(row),
  encryptedKey: row.key_encrypted,
});

const recordOf = (token: NewToken) => ({
  user_id: token.userId,
  name: token.name,
  status: tokenStatus.enabled,
  key_mac: token.key.mac,
  key_encrypted: token.key.encrypted,
  // Earlier versions searched by the beginning of the key.
  key_prefix: '',
  created_at: token.createdAtMs,
  accessed_at: token.createdAtMs,
  issued_quota: token.remainQuotaUnits,
  ...settingsToRow.all(token),
  deleted_at: null,
});

/** All tokens must belong to one owner, because their number is checked for one. */
const create = (database: Database, tokens: readonly NewToken[], maxPerUser: number) =>
  database.writer.transaction().execute(async (transaction) => {
    const userId = tokens[0]?.userId;
    if (userId === undefined) return [];
    // The owner's row is the lock: two creations for one owner run one after the other.
    const owner = transaction.selectFrom('users').select('id').where('id', '=', userId);
    await (database.engine === 'postgres' ? owner.forUpdate() : owner).execute();
    const { count } = await transaction
      .selectFrom('tokens')
      .select((is) => is.fn.countAll<number>().as('count'))
      .where('user_id', '=', userId)
      .where('deleted_at', 'is', null)
      .executeTakeFirstOrThrow();
    if (count + tokens.length > maxPerUser) return 'too_many' as const;
    const rows: TokenRecord[] = [];
    for (const token of tokens) {
      const row = await transaction
        .insertInto('tokens')
        .values(recordOf(token))
        .returningAll()
        .executeTakeFirstOrThrow();
      await keepTag(transaction, { id: row.id, userId, tag: token.tag }, token.createdAtMs);
      rows.push(row);
    }
    return rows.map(withKey);
  });

/** The requested budget, limited so that its sum with held and used units stays an exact number. */
const budget = (units: number) => {
  const asked = sql`CAST(${units} AS BIGINT)`;
  const room = sql`(CAST(${MAX_QUOTA_UNITS} AS BIGINT) - held - used_quota)`;
  return sql<number>`CASE WHEN ${asked} > ${room} THEN ${room} ELSE ${asked} END`;
};

/**
 * The columns to set; undefined leaves a column unchanged. An absolute quota changes `issued_quota` by the same
 * difference.
 */
const setOf = (changes: TokenChanges) => ({
  name: changes.name,
  status: changes.status,
  ...settingsToRow.some(changes),
  ...(changes.remainQuotaUnits === undefined
    ? {}
    : {
        remain_quota: budget(changes.remainQuotaUnits),
        issued_quota: sql<number>`issued_quota - remain_quota + ${budget(changes.remainQuotaUnits)}`,
      }),
});

type Where = (is: ExpressionBuilder<Schema, 'tokens'>) => Expression<SqlBool>;

const ownedBy =
  (userId: number, ...more: readonly Where[]): Where =>
  (is) =>
    is.and([is('user_id', '=', userId), is('deleted_at', 'is', null), ...more.map((where) => where(is))]);

/**
 * Only names have an index. For an index on the other values, every charge would have to move its token in the index,
 * which costs more than the charge. Without one, a page of 100,000 tokens takes at most 65 ms
 * (testing/page-speed.ts).
 */
const sortValues: SortValues = {
  name: { by: sql`lower(name)` },
  quota: { by: sql`CASE WHEN unlimited = 0 THEN remain_quota END`, mayBeMissing: true },
  used: { by: sql.ref('used_quota') },
  expires: { by: sql.ref('expires_at'), mayBeMissing: true },
  created: { by: sql.ref('created_at') },
  accessed: { by: sql.ref('accessed_at') },
};

const pageOf = ({ reader }: Database, where: Where, page: PageRequest): Promise<Page<TokenWithKey>> =>
  onePage(reader.selectFrom('tokens').selectAll().where(where), page, withKey, { sortValues });

type SearchFilter = Parameters<TokenStore['search']>[1];

const matches = ({ keyword, ids }: SearchFilter): Where[] => [
  ...(keyword === ''
    ? []
    : [(is: ExpressionBuilder<Schema, 'tokens'>) => contains<'tokens'>(is, 'name', keyword)]),
  ...(ids === undefined
    ? []
    : [
        (is: ExpressionBuilder<Schema, 'tokens'>) =>
          // PostgreSQL has no empty list.
          ids.length === 0 ? sql<boolean>`1 = 0` : is('id', 'in', [...ids]),
      ]),
];

/** Every call runs this query, so it is built only once. */
const byMac = async (database: Database, mac: string): ReturnType<TokenStore['byKeyMac']> => {
  const place = database.engine === 'postgres' ? '$1' : '?';
  const tokenQuery = `SELECT * FROM tokens WHERE key_mac = ${place} AND deleted_at IS NULL`;
  const { rows: tokens } = await database.writer.executeQuery<TokenRecord>(
    CompiledQuery.raw(tokenQuery, [mac]),
  );
  const token = tokens[0];
  if (token === undefined) return undefined;
  const ownerQuery = `SELECT * FROM users WHERE id = ${place} AND deleted_at IS NULL`;
  const { rows: owners } = await database.writer.executeQuery<UserRecord>(
    CompiledQuery.raw(ownerQuery, [token.user_id]),
  );
  const owner = owners[0];
  return owner === undefined ? undefined : { token: tokenOf(token), owner: userOf(owner) };
};

/**
 * Whether the owner's settings of a token are still as they were read. Calls move units from the budget to used and
 * held, so for a limited token their sum is compared.
 */
const isAsRead = (token: TokenWithKey): Expression<SqlBool>[] => {
  const { remain_quota: left, ...settings } = settingsToRow.all(token);
  const columns = { name: token.name, status: token.status, ...settings };
  const sum = left + token.heldUnits + token.usedQuotaUnits;
  return [
    ...Object.entries(columns).map(
      ([column, value]) => sql<SqlBool>`${sql.ref(column)} IS NOT DISTINCT FROM ${value}`,
    ),
    sql<SqlBool>`(unlimited = 1 OR remain_quota + held + used_quota = ${sum})`,
  ];
};

const change = (
  from: Kysely<Schema>,
  [userId, id]: readonly [userId: number, id: number],
  changes: TokenChanges,
  read: TokenWithKey | undefined,
): Promise<TokenRecord | undefined> =>
  from
    .updateTable('tokens')
    // Setting a column to itself keeps the statement valid if nothing changes.
    .set((is) => ({ id: is.ref('id'), ...setOf(changes) }))
    .where('user_id', '=', userId)
    .where('deleted_at', 'is', null)
    .where('id', '=', id)
    .where((is) => is.and(read === undefined ? [] : isAsRead(read)))
    .returningAll()
    .executeTakeFirst();

/** Relay tokens in the database. */
export const createTokenStore = (database: Database): TokenStore => ({
  create: (tokens, maxPerUser) => create(database, tokens, maxPerUser),
  byId: async (userId, id) => {
    const row = await database.writer
      .selectFrom('tokens')
      .selectAll()
      .where(ownedBy(userId))
      .where('id', '=', id)
      .executeTakeFirst();
    return row === undefined ? undefined : withKey(row);
  },
  list: (userId, page) => pageOf(database, ownedBy(userId), page),
  search: (userId, filter, page) => pageOf(database, ownedBy(userId, ...matches(filter)), page),
  keysOf: async (userId) => {
    const rows = await database.reader
      .selectFrom('tokens')
      .select(['id', 'key_encrypted'])
      .where('user_id', '=', userId)
      .where('deleted_at', 'is', null)
      .execute();
    return rows.map(({ id, key_encrypted: encryptedKey }) => ({ id, encryptedKey }));
  },
  update: async (userId, id, changes, nowMs, read) => {
    const row =
      changes.tag === undefined
        ? await change(database.writer, [userId, id], changes, read)
        : await database.writer.transaction().execute(async (transaction) => {
            const changed = await change(transaction, [userId, id], changes, read);
            if (changed !== undefined) await keepTag(transaction, { id, userId, tag: changed.tag }, nowMs);
            return changed;
          });
    return row === undefined ? undefined : withKey(row);
  },
  delete: (userId, id, nowMs) =>
    database.writer.transaction().execute(async (transaction) => {
      const { numUpdatedRows } = await transaction
        .updateTable('tokens')
        .set({ deleted_at: nowMs })
        .where('user_id', '=', userId)
        .where('id', '=', id)
        .where('deleted_at', 'is', null)
        .executeTakeFirst();
      if (numUpdatedRows === 0n) return false;
      // The links would no longer work, and would be in no list from which to revoke them.
      await transaction.deleteFrom('usage_links').where('token_id', '=', id).execute();
      return true;
    }),
  byKeyMac: (mac) => byMac(database, mac),
});
