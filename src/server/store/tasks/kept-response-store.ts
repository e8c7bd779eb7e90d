import type { KeptResponse, KeptResponseStore } from '#core/kept/kept-response.ts';
import type { Selectable } from 'kysely';
import type { Database } from '../database/database.ts';
import type { KeptResponseTables } from '../database/kept-response-schema.ts';

type KeptRecord = Selectable<KeptResponseTables['kept_responses']>;

const AT_ONCE = 100;

const recordOf = (kept: KeptResponse): KeptRecord => ({
  user_id: kept.userId,
  response_id: kept.responseId,
  token_id: kept.tokenId,
  channel_id: kept.channelId,
  key_index: kept.keyIndex,
  model: kept.model,
  created_at: kept.createdAtMs,
  expires_at: kept.expiresAtMs,
  context_tokens: kept.contextTokens,
});

const keptOf = (record: KeptRecord): KeptResponse => ({
  userId: record.user_id,
  responseId: record.response_id,
  tokenId: record.token_id,
  channelId: record.channel_id,
  keyIndex: record.key_index,
  model: record.model,
  createdAtMs: record.created_at,
  expiresAtMs: record.expires_at,
  contextTokens: record.context_tokens,
});

/** One statement cannot write the same row twice: if several have the same owner and id, the last one counts. */
const lastOfEach = (responses: readonly KeptResponse[]): KeptRecord[] => [
  ...new Map(responses.map((kept) => [`${kept.userId} ${kept.responseId}`, recordOf(kept)])).values(),
];

/** Stores the locations of kept responses. */
export const createKeptResponseStore = ({ writer }: Database): KeptResponseStore => ({
  async add(responses) {
    const records = lastOfEach(responses);
    for (let at = 0; at < records.length; at += AT_ONCE) {
      await writer
        .insertInto('kept_responses')
        .values(records.slice(at, at + AT_ONCE))
        .onConflict((conflict) =>
          conflict.columns(['user_id', 'response_id']).doUpdateSet((is) => ({
            token_id: is.ref('excluded.token_id'),
            channel_id: is.ref('excluded.channel_id'),
            key_index: is.ref('excluded.key_index'),
            model: is.ref('excluded.model'),
            created_at: is.ref('excluded.created_at'),
            expires_at: is.ref('excluded.expires_at'),
            context_tokens: is.ref('excluded.context_tokens'),
          })),
        )
        .execute();
    }
  },
  async find(userId, responseId, nowMs) {
    const record = await writer
      .selectFrom('kept_responses')
      .selectAll()
      .where('user_id', '=', userId)
      .where('response_id', '=', responseId)
      .where('expires_at', '>', nowMs)
      .executeTakeFirst();
    return record === undefined ? undefined : keptOf(record);
  },
  async holders(responseIds, nowMs) {
    const found: KeptResponse[] = [];
    for (let at = 0; at < responseIds.length; at += AT_ONCE) {
      const records = await writer
        .selectFrom('kept_responses')
        .selectAll()
        .where('response_id', 'in', responseIds.slice(at, at + AT_ONCE))
        .where('expires_at', '>', nowMs)
        .execute();
      found.push(...records.map(keptOf));
    }
    return found;
  },
  async forget(userId, responseId) {
    await writer
      .deleteFrom('kept_responses')
      .where('user_id', '=', userId)
      .where('response_id', '=', responseId)
      .execute();
  },
  async deleteExpired(nowMs) {
    await writer.deleteFrom('kept_responses').where('expires_at', '<=', nowMs).execute();
  },
});
