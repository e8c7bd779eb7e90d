import { type Selectable, sql } from 'kysely';
import type { BoundSession, BoundSessionStore } from '#core/channel/selection/bound-session-store.ts';
import type { Database } from '../database/database.ts';
import type { RememberedTables } from '../database/remembered-schema.ts';

type BoundRecord = Selectable<RememberedTables['bound_sessions']>;

const AT_ONCE = 100;

const recordOf = (session: BoundSession): BoundRecord => ({
  id: session.id,
  user_id: session.userId,
  channel_id: session.channelId,
  key_id: session.keyId,
  model: session.model,
  answers: session.answers,
  prompt_tokens: session.promptTokens ?? 0,
  used_at: session.usedAtMs,
});

const sessionOf = (record: BoundRecord): BoundSession => ({
  id: record.id,
  userId: record.user_id,
  channelId: record.channel_id,
  keyId: record.key_id,
  model: record.model,
  answers: record.answers,
  ...(record.prompt_tokens > 0 && { promptTokens: record.prompt_tokens }),
  usedAtMs: record.used_at,
});

/** Stores session bindings in the database. */
export const createBoundSessionStore = ({ writer }: Pick<Database, 'writer'>): BoundSessionStore => ({
  async save(sessions) {
    for (let at = 0; at < sessions.length; at += AT_ONCE)
      await writer
        .insertInto('bound_sessions')
        .values(sessions.slice(at, at + AT_ONCE).map(recordOf))
        .onConflict((conflict) =>
          conflict
            .column('id')
            .doUpdateSet((is) => ({
              channel_id: is.ref('excluded.channel_id'),
              key_id: is.ref('excluded.key_id'),
              answers: is.ref('excluded.answers'),
              prompt_tokens: is.ref('excluded.prompt_tokens'),
              used_at: is.ref('excluded.used_at'),
            }))
            // Another node may have written a later use meanwhile.
            .whereRef('bound_sessions.used_at', '<=', 'excluded.used_at'),
        )
        .execute();
  },
  async usedSince(sinceMs, most) {
    const records = await writer
      .selectFrom('bound_sessions')
      .selectAll()
      .where('used_at', '>=', sinceMs)
      .orderBy('used_at', 'desc')
      .limit(most)
      .execute();
    return records.map(sessionOf).toReversed();
  },
  async forget({ channelId, modelPrefix = '' }) {
    let query = writer.deleteFrom('bound_sessions');
    if (channelId !== undefined) query = query.where('channel_id', '=', channelId);
    if (modelPrefix !== '')
      query = query.where(sql<boolean>`substr(model, 1, ${Array.from(modelPrefix).length}) = ${modelPrefix}`);
    await query.execute();
  },
  async prune(sinceMs, most) {
    await writer.deleteFrom('bound_sessions').where('used_at', '<', sinceMs).execute();
    const beyond = await writer
      .selectFrom('bound_sessions')
      .select('used_at')
      .orderBy('used_at', 'desc')
      .offset(most)
      .limit(1)
      .executeTakeFirst();
    if (beyond !== undefined)
      await writer.deleteFrom('bound_sessions').where('used_at', '<=', beyond.used_at).execute();
  },
});
