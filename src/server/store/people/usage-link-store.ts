import { type Kysely, type Selectable, sql } from 'kysely';
import { logType, userStatus } from '#contract/codes.ts';
import type { NewUsageLink, TokenUsage, UsageLink, UsageLinkStore } from '#core/token/usage-link-store.ts';
import type { Database } from '../database/database.ts';
import type { Schema } from '../database/schema.ts';
import { countsOf, usedCounts, type UsedSums } from '../logs/used-counts.ts';
import { tokenOf } from './token-store.ts';
import { holdUser } from './ways-in.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#core/time/spans.ts';

const MODELS_SHOWN = 50;

const linkOf = (row: Selectable<Schema['usage_links']>): UsageLink => ({
  id: row.id,
  tokenId: row.token_id,
  userId: row.user_id,
  note: row.note,
  createdAtMs: row.created_at,
  createdBy: row.created_by,
  expiresAtMs: row.expires_at,
  openedAtMs: row.opened_at,
});

const living = (from: Kysely<Schema>, userId: number, tokenId: number) =>
  from
    .selectFrom('tokens')
    .select('id')
    .where('id', '=', tokenId)
    .where('user_id', '=', userId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();

const readUsage = async (
  reader: Kysely<Schema>,
  { id, userId }: { readonly id: number; readonly userId: number },
  fromMs: number,
): Promise<TokenUsage> => {
  const charged = sql`FROM usage_hours
    WHERE token_id = ${id} AND user_id = ${userId} AND type = ${logType.consume} AND hour >= ${Math.floor(fromMs / HOUR_MS)}`;
  const [days, models] = await Promise.all([
    sql<UsedSums & { readonly day: number | string }>`
      SELECT hour / 24 AS day, ${usedCounts} ${charged} GROUP BY 1 ORDER BY 1`.execute(reader),
    sql<UsedSums & { readonly model: string | null }>`
      SELECT n.name AS model, u.* FROM (SELECT model_id, ${usedCounts} ${charged} GROUP BY 1) u
      LEFT JOIN names n ON n.id = u.model_id ORDER BY u.quota DESC, n.name LIMIT ${MODELS_SHOWN}`.execute(
      reader,
    ),
  ]);
  return {
    days: days.rows.map((row) => ({ dayMs: Number(row.day) * DAY_MS, ...countsOf(row) })),
    models: models.rows.map((row) => ({ model: row.model ?? '', ...countsOf(row) })),
  };
};

const create = (
  { engine, writer }: Database,
  { mac, ...link }: NewUsageLink,
  maxPerToken: number,
): ReturnType<UsageLinkStore['create']> =>
  writer.transaction().execute(async (transaction) => {
    // The owner's row is the lock: links of one token are created one after the other.
    await holdUser(transaction, engine, link.userId);
    if ((await living(transaction, link.userId, link.tokenId)) === undefined) return 'missing';
    const ofToken = transaction.deleteFrom('usage_links').where('token_id', '=', link.tokenId);
    await ofToken.where('expires_at', '<=', link.createdAtMs).execute();
    const { count } = await transaction
      .selectFrom('usage_links')
      .select((is) => is.fn.countAll<number>().as('count'))
      .where('token_id', '=', link.tokenId)
      .executeTakeFirstOrThrow();
    if (Number(count) >= maxPerToken) return 'too_many';
    const row = await transaction
      .insertInto('usage_links')
      .values({
        token_id: link.tokenId,
        user_id: link.userId,
        mac,
        note: link.note,
        created_at: link.createdAtMs,
        created_by: link.createdBy,
        expires_at: link.expiresAtMs,
        opened_at: null,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    return linkOf(row);
  });

/** Stores links to the usage of tokens. */
export const createUsageLinkStore = (database: Database): UsageLinkStore => ({
  create: (link, maxPerToken) => create(database, link, maxPerToken),
  list: async (userId, tokenId, nowMs) => {
    if ((await living(database.writer, userId, tokenId)) === undefined) return undefined;
    const rows = await database.writer
      .selectFrom('usage_links')
      .selectAll()
      .where('token_id', '=', tokenId)
      .where((is) => is.or([is('expires_at', 'is', null), is('expires_at', '>', nowMs)]))
      .orderBy('id', 'desc')
      .execute();
    return rows.map(linkOf);
  },
  delete: async (userId, id) => {
    const gone = await database.writer
      .deleteFrom('usage_links')
      .where('id', '=', id)
      .where('user_id', '=', userId)
      .returning('token_id')
      .executeTakeFirst();
    return gone?.token_id;
  },
  // Reads from the writer, as all access checks do, so that a revoked link stops working at once on every node.
  open: async (mac, nowMs) => {
    const row = await database.writer
      .selectFrom('usage_links')
      .selectAll()
      .where('mac', '=', mac)
      .where((is) => is.or([is('expires_at', 'is', null), is('expires_at', '>', nowMs)]))
      .executeTakeFirst();
    if (row === undefined) return undefined;
    const token = await database.writer
      .selectFrom('tokens')
      .innerJoin('users', 'users.id', 'tokens.user_id')
      .selectAll('tokens')
      .where('tokens.id', '=', row.token_id)
      .where('tokens.deleted_at', 'is', null)
      .where('users.deleted_at', 'is', null)
      .where('users.status', '=', userStatus.enabled)
      .executeTakeFirst();
    return token && { link: linkOf(row), token: tokenOf(token) };
  },
  noteOpened: async (id, nowMs) => {
    await database.writer
      .updateTable('usage_links')
      .set({ opened_at: nowMs })
      .where('id', '=', id)
      .where((is) => is.or([is('opened_at', 'is', null), is('opened_at', '<=', nowMs - MINUTE_MS)]))
      .execute();
  },
  usage: (token, fromMs) => readUsage(database.reader, token, fromMs),
});
