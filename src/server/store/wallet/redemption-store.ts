import { redemptionStatus } from '#contract/codes.ts';
import type { Page, PageRequest } from '#core/paging.ts';
import type { NewRedemption, Redemption } from '#core/wallet/redemption.ts';
import type { RedemptionStore } from '#core/wallet/redemption-store.ts';
import { type Expression, type ExpressionBuilder, sql, type SqlBool } from 'kysely';
import type { Database } from '../database/database.ts';
import { onePage, type SortValues } from '../database/one-page.ts';
import type { Schema } from '../database/schema.ts';
import { contains } from '../database/search.ts';
import type { RedemptionRecord } from '../database/wallet-schema.ts';

/** A code with the name of whoever redeemed it; codes that may still be changed have none. */
type NamedRecord = RedemptionRecord & { readonly used_username?: string | null };

const redeemer = (is: ExpressionBuilder<Schema, 'redemptions'>) =>
  is
    .selectFrom('users')
    .select('users.username')
    .whereRef('users.id', '=', 'redemptions.used_user_id')
    .as('used_username');

const redemptionOf = (row: NamedRecord): Redemption => ({
  id: row.id,
  userId: row.user_id,
  name: row.name,
  status: row.status,
  keyMac: row.key_mac,
  encryptedKey: row.key_encrypted,
  quotaUnits: row.quota,
  createdAtMs: row.created_at,
  expiresAtMs: row.expires_at,
  redeemedAtMs: row.redeemed_at,
  usedUserId: row.used_user_id,
  usedUsername: row.used_username ?? '',
});

const recordOf = (redemption: NewRedemption) => ({
  user_id: redemption.userId,
  name: redemption.name,
  status: redemptionStatus.unused,
  key_mac: redemption.keyMac,
  key_encrypted: redemption.encryptedKey,
  quota: redemption.quotaUnits,
  created_at: redemption.createdAtMs,
  expires_at: redemption.expiresAtMs,
});

type Where = (is: ExpressionBuilder<Schema, 'redemptions'>) => Expression<SqlBool>;

const matches =
  (keyword: string, keyMac: string): Where =>
  (is) =>
    is.or([
      contains<'redemptions'>(is, 'name', keyword),
      is('key_mac', '=', keyMac),
      ...(/^\d{1,15}$/.test(keyword) ? [is('id', '=', Number(keyword))] : []),
    ]);

/** Codes that cannot be redeemed: used, disabled, expired. */
const isInvalid =
  (nowMs: number): Where =>
  (is) =>
    is.or([is('status', '!=', redemptionStatus.unused), is('expires_at', '<=', nowMs)]);

const sortValues: SortValues = {
  name: { by: sql`lower(name)` },
  quota: { by: sql.ref('quota') },
  expires: { by: sql.ref('expires_at'), mayBeMissing: true },
  used: { by: sql.ref('redeemed_at'), mayBeMissing: true },
  created: { by: sql.ref('created_at') },
};

const pageOf = ({ reader }: Database, where: Where, page: PageRequest): Promise<Page<Redemption>> =>
  onePage(
    reader
      .selectFrom('redemptions')
      .selectAll()
      .select(redeemer)
      .where('deleted_at', 'is', null)
      .where(where),
    page,
    redemptionOf,
    { sortValues },
  );

/** Stores redemption codes in the database. */
export const createRedemptionStore = (database: Database): RedemptionStore => {
  const { writer } = database;
  const living = () =>
    writer.selectFrom('redemptions').selectAll().select(redeemer).where('deleted_at', 'is', null);
  const change = () => writer.updateTable('redemptions').where('deleted_at', 'is', null);
  const deleted = (nowMs: number) => change().set({ deleted_at: nowMs });
  const first = (rows: readonly NamedRecord[]) => (rows[0] === undefined ? undefined : redemptionOf(rows[0]));
  return {
    create: async (redemptions) => {
      if (redemptions.length > 0)
        await writer.insertInto('redemptions').values(redemptions.map(recordOf)).execute();
    },
    byId: async (id) => first(await living().where('id', '=', id).execute()),
    byKeyMac: async (keyMac) => first(await living().where('key_mac', '=', keyMac).execute()),
    list: (page, invalidAtMs) =>
      pageOf(database, invalidAtMs === undefined ? (is) => is.lit(true) : isInvalid(invalidAtMs), page),
    search: ({ keyword, keyMac }, page) => pageOf(database, matches(keyword, keyMac), page),
    update: async (id, { name, quotaUnits, expiresAtMs, isOff }, read) => {
      const rows = await change()
        // Setting a column to itself keeps the statement valid if nothing changes.
        .set((is) => ({ id: is.ref('id'), name, quota: quotaUnits, expires_at: expiresAtMs }))
        .$if(isOff === true, (rows) => rows.set({ status: redemptionStatus.disabled }))
        .where('id', '=', id)
        .where('status', '=', redemptionStatus.unused)
        .where('name', '=', read.name)
        .where('quota', '=', read.quotaUnits)
        .where('expires_at', 'is not distinct from', read.expiresAtMs)
        .returningAll()
        .execute();
      return first(rows);
    },
    setStatus: async (id, status) => {
      const rows = await change()
        .set({ status })
        .where('id', '=', id)
        .where('status', '!=', redemptionStatus.used)
        .returningAll()
        .execute();
      return first(rows);
    },
    delete: async (id, nowMs) => {
      const { numUpdatedRows } = await deleted(nowMs).where('id', '=', id).executeTakeFirst();
      return numUpdatedRows > 0n;
    },
    deleteInvalid: async (nowMs) => {
      const { numUpdatedRows } = await deleted(nowMs).where(isInvalid(nowMs)).executeTakeFirst();
      return Number(numUpdatedRows);
    },
  };
};
