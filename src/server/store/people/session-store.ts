import { userStatus } from '#contract/codes.ts';
import { signInServices } from '#contract/sign-in-services.ts';
import type { SessionStore, SignInProof } from '#core/session/session-store.ts';
import type { Kysely } from 'kysely';
import type { Database } from '../database/database.ts';
import type { Schema, UserRecord } from '../database/schema.ts';
import { holdUser } from './ways-in.ts';

type Owned = Pick<SessionStore, 'listOf' | 'setFresh' | 'endOwn'>;

/** What owners can see and do with their own sessions. */
const owned = ({ writer }: Database): Owned => ({
  listOf: async (userId, nowMs) => {
    const rows = await writer
      .selectFrom('sessions')
      .selectAll()
      .where('user_id', '=', userId)
      .where('expires_at', '>', nowMs)
      .orderBy('last_seen_at', 'desc')
      .limit(100)
      .execute();
    return rows.map((row) => ({
      idHash: row.id_hash,
      userId: row.user_id,
      createdAtMs: row.created_at,
      lastSeenAtMs: row.last_seen_at,
      expiresAtMs: row.expires_at,
      freshUntilMs: row.fresh_until,
      ip: row.ip,
      userAgent: row.user_agent,
    }));
  },
  setFresh: async (idHash, freshUntilMs) => {
    await writer
      .updateTable('sessions')
      .set({ fresh_until: freshUntilMs })
      .where('id_hash', '=', idHash)
      .execute();
  },
  endOwn: async (userId, idHash) => {
    const { numDeletedRows } = await writer
      .deleteFrom('sessions')
      .where('id_hash', '=', idHash)
      .where('user_id', '=', userId)
      .executeTakeFirst();
    return numDeletedRows > 0n;
  },
});

/** Whether the proof of identity still holds, for an account whose row is locked. */
const isProven = async (
  transaction: Kysely<Schema>,
  user: UserRecord,
  { passwordHash, identity, passkeyId, hasSecond }: SignInProof,
): Promise<boolean> => {
  if (passwordHash !== undefined && passwordHash !== user.password_hash) return false;
  if (identity !== undefined && user[signInServices[identity.service].field] !== identity.id) return false;
  if (passkeyId !== undefined) {
    const passkey = transaction.selectFrom('passkeys').select('id').where('id', '=', passkeyId);
    if ((await passkey.where('user_id', '=', user.id).executeTakeFirst()) === undefined) return false;
  }
  if (hasSecond) return true;
  const factor = transaction.selectFrom('second_factors').select('user_id').where('user_id', '=', user.id);
  return (await factor.where('confirmed_at', 'is not', null).executeTakeFirst()) === undefined;
};

/** Sessions in the database. */
export const createSessionStore = (database: Database): SessionStore => ({
  ...owned(database),
  create: (idHash, session, proof) =>
    database.writer.transaction().execute(async (transaction) => {
      const user = await holdUser(transaction, database.engine, session.userId);
      if (user?.status !== userStatus.enabled) return false;
      if (proof !== undefined && !(await isProven(transaction, user, proof))) return false;
      await transaction
        .insertInto('sessions')
        .values({
          id_hash: idHash,
          user_id: session.userId,
          created_at: session.createdAtMs,
          last_seen_at: session.lastSeenAtMs,
          expires_at: session.expiresAtMs,
          ip: session.ip,
          user_agent: session.userAgent,
          fresh_until: session.freshUntilMs,
        })
        .execute();
      return true;
    }),
  find: async (idHash) => {
    const row = await database.writer
      .selectFrom('sessions')
      .selectAll()
      .where('id_hash', '=', idHash)
      .executeTakeFirst();
    if (row === undefined) return undefined;
    return {
      userId: row.user_id,
      createdAtMs: row.created_at,
      lastSeenAtMs: row.last_seen_at,
      expiresAtMs: row.expires_at,
      freshUntilMs: row.fresh_until,
    };
  },
  touch: async (idHash, lastSeenAtMs) => {
    await database.writer
      .updateTable('sessions')
      .set({ last_seen_at: lastSeenAtMs })
      .where('id_hash', '=', idHash)
      .execute();
  },
  end: async (idHash) => {
    await database.writer.deleteFrom('sessions').where('id_hash', '=', idHash).execute();
  },
  endAllOf: async (userId, exceptIdHash) => {
    const all = database.writer.deleteFrom('sessions').where('user_id', '=', userId);
    await (exceptIdHash === undefined ? all : all.where('id_hash', '!=', exceptIdHash)).execute();
  },
  endAccessOf: (userId, exceptIdHash) =>
    database.writer.transaction().execute(async (transaction) => {
      await holdUser(transaction, database.engine, userId);
      const all = transaction.deleteFrom('sessions').where('user_id', '=', userId);
      await (exceptIdHash === undefined ? all : all.where('id_hash', '!=', exceptIdHash)).execute();
      await transaction
        .updateTable('users')
        .set({ access_token_hash: null })
        .where('id', '=', userId)
        .execute();
    }),
  deleteExpired: async (nowMs) => {
    await database.writer.deleteFrom('sessions').where('expires_at', '<=', nowMs).execute();
  },
});
