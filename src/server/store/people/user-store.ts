import { userStatus } from '#contract/codes.ts';
import { byService, signInServices } from '#contract/sign-in-services.ts';
import type { Page, PageRequest } from '#core/paging.ts';
import { nameKey } from '#core/user/name-key.ts';
import type { User } from '#core/user/user.ts';
import type { NewUser, UserStore } from '#core/user/user-store.ts';
import { type ExpressionBuilder, type Kysely, sql } from 'kysely';
import type { Database } from '../database/database.ts';
import { onePage, type SortValues } from '../database/one-page.ts';
import type { Schema, UserRecord } from '../database/schema.ts';
import { contains } from '../database/search.ts';
import { isNameTaken, isNameTakenNow } from '../database/name-taken.ts';
import { orTaken } from '../database/unique-violation.ts';
import { giftsCredited, oweGifts, owedGifts } from './owed-gifts.ts';
import { holdUser } from './ways-in.ts';

/** Converts a row to a user. */
export const userOf = (row: UserRecord): User => ({
  id: row.id,
  username: row.username,
  displayName: row.display_name,
  email: row.email,
  role: row.role,
  status: row.status,
  group: row.group_name,
  quotaUnits: row.quota,
  usedQuotaUnits: row.used_quota,
  heldUnits: row.held,
  requestCount: row.request_count,
  affCode: row.aff_code,
  affCount: row.aff_count,
  affQuotaUnits: row.aff_quota,
  affHistoryQuotaUnits: row.aff_history_quota,
  inviterId: row.inviter_id,
  identities: byService('field', (name) => row[signInServices[name].field]),
  setting: row.setting,
  deletedAtMs: row.deleted_at,
});

const recordOf = (user: NewUser) => ({
  username: user.username,
  name_key: nameKey(user.username),
  display_name: user.displayName,
  email: user.email,
  password_hash: user.passwordHash,
  role: user.role,
  status: userStatus.enabled,
  group_name: user.group,
  aff_code: user.affCode,
  inviter_id: user.inviterId,
  created_at: user.createdAtMs,
  deleted_at: null,
  ...(user.identity === undefined ? {} : { [signInServices[user.identity.service].field]: user.identity.id }),
});

type Where = (is: ExpressionBuilder<Schema, 'users'>) => ReturnType<typeof contains>;

const pageOf = (
  { reader }: Database,
  where: Where,
  page: PageRequest,
  sortValues: SortValues = {},
): Promise<Page<User>> =>
  onePage(reader.selectFrom('users').selectAll().where(where), page, userOf, { sortValues });

/** The order must not reveal numbers of accounts that `by` may not see. */
const sortValuesFor = (by: Pick<User, 'id' | 'role'>): SortValues => {
  const seen = (column: string) => ({
    by: sql`CASE WHEN role < ${by.role} OR id = ${by.id} THEN ${sql.ref(column)} END`,
    mayBeMissing: true as const,
  });
  return {
    name: { by: sql`lower(username)` },
    group: { by: sql.ref('group_name') },
    role: { by: sql.ref('role') },
    created: { by: sql.ref('created_at') },
    quota: seen('quota'),
    used: seen('used_quota'),
    calls: seen('request_count'),
  };
};

const matches =
  ({ keyword, group, by }: Parameters<UserStore['search']>[0]): Where =>
  (is) => {
    const columns = ['username', 'display_name'] as const;
    const byText = columns.map((column) => contains<'users'>(is, column, keyword));
    const isSeen = is.or([is('role', '<', by.role), is('id', '=', by.id)]);
    byText.push(is.and([contains<'users'>(is, 'email', keyword), isSeen]));
    if (/^\d{1,15}$/.test(keyword)) byText.push(is('id', '=', Number(keyword)));
    return is.and([
      ...(keyword === '' ? [] : [is.or(byText)]),
      ...(group === '' ? [] : [is('group_name', '=', group)]),
    ]);
  };

const insert = async (
  transaction: Kysely<Schema>,
  database: Database,
  user: NewUser,
): Promise<number | 'taken'> => {
  if (await isNameTakenNow(transaction, database, user.username)) return 'taken';
  const row = await transaction
    .insertInto('users')
    .values(recordOf(user))
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  if (row === undefined) return 'taken';
  if (user.inviterId !== 0) {
    await transaction
      .updateTable('users')
      .set((is) => ({ aff_count: is('aff_count', '+', 1) }))
      .where('id', '=', user.inviterId)
      .execute();
  }
  if (user.gifts !== undefined)
    await oweGifts(transaction, { ...user.gifts, user: { id: row.id, username: user.username } });
  return row.id;
};

/** The first account inserts the only row of this name; a second insert fails. */
const FIRST_USER = 'first_user';

const createFirst = (database: Database, user: NewUser): Promise<number | 'taken'> =>
  database.writer.transaction().execute(async (transaction) => {
    const claim = await transaction
      .insertInto('facts')
      .values({ key: FIRST_USER, value: user.username })
      .onConflict((conflict) => conflict.doNothing())
      .returning('key')
      .executeTakeFirst();
    if (claim === undefined) return 'taken';
    const anybody = await transaction.selectFrom('users').select('id').limit(1).executeTakeFirst();
    return anybody === undefined ? insert(transaction, database, user) : 'taken';
  });

const updateProfile = async (
  database: Database,
  id: number,
  { username, displayName }: { readonly username?: string; readonly displayName?: string },
): Promise<'updated' | 'taken' | 'missing'> => {
  const changes = {
    ...(username === undefined ? {} : { username, name_key: nameKey(username) }),
    ...(displayName === undefined ? {} : { display_name: displayName }),
  };
  const { writer } = database;
  const one = writer.selectFrom('users').select('id').where('id', '=', id).where('deleted_at', 'is', null);
  if (Object.keys(changes).length === 0)
    return (await one.executeTakeFirst()) === undefined ? 'missing' : 'updated';
  return writer.transaction().execute(async (transaction) => {
    if (username !== undefined && (await isNameTakenNow(transaction, database, username, id))) return 'taken';
    const { numUpdatedRows } = await transaction
      .updateTable('users')
      .set(changes)
      .where('id', '=', id)
      .where('deleted_at', 'is', null)
      .executeTakeFirst();
    return numUpdatedRows === 0n ? 'missing' : 'updated';
  });
};

const withLittleQuota = async (
  { reader }: Database,
  belowUnits: number,
  limit: number,
): ReturnType<UserStore['withLittleQuota']> => {
  const spent = reader
    .selectFrom('users')
    .where('deleted_at', 'is', null)
    .where('status', '=', userStatus.enabled)
    .where('used_quota', '>', 0)
    .where(sql<boolean>`quota + held < ${belowUnits}`);
  const { total } = await spent
    .select((is) => is.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  const rows = await spent
    .select(['id', 'username', 'quota'])
    .orderBy('used_quota', 'desc')
    .orderBy('id')
    .limit(limit)
    .execute();
  return {
    total: Number(total),
    items: rows.map(({ id, username, quota }) => ({ id, username, quotaUnits: quota })),
  };
};

const groupUse = async ({ reader }: Database, group: string): ReturnType<UserStore['groupUse']> => {
  const users = await reader
    .selectFrom('users')
    .where('group_name', '=', group)
    .where('deleted_at', 'is', null)
    .select((is) => is.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  const tokens = await reader
    .selectFrom('tokens')
    .where('group_name', '=', group)
    .where('deleted_at', 'is', null)
    .select((is) => is.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return { users: Number(users.count), tokens: Number(tokens.count) };
};

const namesOf = async (
  { reader }: Database,
  ids: readonly number[],
): Promise<ReadonlyMap<number, string>> => {
  if (ids.length === 0) return new Map();
  const rows = await reader.selectFrom('users').select(['id', 'username']).where('id', 'in', ids).execute();
  return new Map(rows.map(({ id, username }) => [id, username]));
};

/** Locks the account's row, so that a concurrent end of its access either waits or is seen. */
const setAccessToken = (
  { engine, writer }: Database,
  id: number,
  hash: string,
  sessionHash: string | undefined,
): Promise<boolean> =>
  writer.transaction().execute(async (transaction) => {
    if ((await holdUser(transaction, engine, id)) === undefined) return false;
    const sessions = transaction.selectFrom('sessions').select('user_id').where('user_id', '=', id);
    if (sessionHash !== undefined) {
      const session = await sessions.where('id_hash', '=', sessionHash).executeTakeFirst();
      if (session === undefined) return false;
    }
    await transaction.updateTable('users').set({ access_token_hash: hash }).where('id', '=', id).execute();
    return true;
  });

/** Accounts in the database. */
export const createUserStore = (database: Database): UserStore => {
  const living = () => database.writer.selectFrom('users').selectAll().where('deleted_at', 'is', null);
  const first = async (query: ReturnType<typeof living>): Promise<User | undefined> => {
    const row = await query.executeTakeFirst();
    return row === undefined ? undefined : userOf(row);
  };
  return {
    create: (user) =>
      database.writer.transaction().execute((transaction) => insert(transaction, database, user)),
    createFirst: (user) => createFirst(database, user),
    owedGifts: () => owedGifts(database.writer),
    giftsCredited: (userId) => giftsCredited(database.writer, userId),
    isNameTaken: (username) => isNameTaken(database.writer, username),
    byId: (id) => first(living().where('id', '=', id)),
    byLogin: async (login) => {
      const rows = await living()
        .where((is) =>
          is.or([
            is('username', '=', login),
            is('name_key', '=', nameKey(login)),
            ...(login === '' ? [] : [is('email', '=', login.toLowerCase())]),
          ]),
        )
        .execute();
      // Old accounts may have names that differ only in case.
      const row =
        rows.find(({ username }) => username === login) ??
        rows.find(({ email }) => email === login.toLowerCase() && email !== '') ??
        rows[0];
      return row === undefined ? undefined : { ...userOf(row), passwordHash: row.password_hash };
    },
    byAccessTokenHash: (hash) => first(living().where('access_token_hash', '=', hash)),
    byAffCode: (code) => first(living().where('aff_code', '=', code)),
    exists: async () =>
      (await database.writer.selectFrom('users').select('id').limit(1).executeTakeFirst()) !== undefined,
    ofRole: async (leastRole) =>
      (
        await living()
          .where('role', '>=', leastRole)
          .where('status', '=', userStatus.enabled)
          .orderBy('id')
          .execute()
      ).map(userOf),
    idsOfRole: async (leastRole) =>
      (await database.reader.selectFrom('users').select('id').where('role', '>=', leastRole).execute()).map(
        ({ id }) => id,
      ),
    list: (page) => pageOf(database, () => sql<boolean>`1 = 1`, page),
    search: (filter, page) => pageOf(database, matches(filter), page, sortValuesFor(filter.by)),
    withLittleQuota: (belowUnits, limit) => withLittleQuota(database, belowUnits, limit),
    namesOf: (ids) => namesOf(database, ids),
    groupUse: (group) => groupUse(database, group),
    updateProfile: (id, changes) => orTaken(updateProfile(database, id, changes)),
    passwordHashOf: async (id) => (await living().where('id', '=', id).executeTakeFirst())?.password_hash,
    setPasswordHash: async (id, hash, from) => {
      const owner = database.writer
        .updateTable('users')
        .set({ password_hash: hash, access_token_hash: null })
        .where('id', '=', id)
        .where('deleted_at', 'is', null);
      const asFound = from === undefined ? owner : owner.where('password_hash', '=', from);
      return (await asFound.executeTakeFirst()).numUpdatedRows > 0n;
    },
    setAccessTokenHash: (id, hash, sessionHash) => setAccessToken(database, id, hash, sessionHash),
  };
};
