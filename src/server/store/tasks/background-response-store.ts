import type { ExpressionBuilder, Selectable } from 'kysely';
import type {
  BackgroundChanges,
  BackgroundResponse,
  BackgroundResponseStore,
} from '#core/kept/background-response.ts';
import type { Database } from '../database/database.ts';
import type { KeptResponseTables } from '../database/kept-response-schema.ts';
import type { Schema } from '../database/schema.ts';

/** A response with an id is asked for at least every two minutes. */
const LONGEST_WAIT_MS = 300_000;

type BackgroundRecord = Selectable<KeptResponseTables['background_responses']>;

const columnsOf = (fields: BackgroundChanges): Partial<BackgroundRecord> => ({
  ...(fields.responseId !== undefined && { response_id: fields.responseId }),
  ...(fields.channelId !== undefined && { channel_id: fields.channelId }),
  ...(fields.keyId !== undefined && { key_id: fields.keyId }),
  ...(fields.askAtMs !== undefined && { ask_at: Math.round(fields.askAtMs) }),
  ...(fields.bill !== undefined && { bill: fields.bill }),
});

const responseOf = (record: BackgroundRecord): BackgroundResponse => ({
  holdId: record.hold_id,
  userId: record.user_id,
  responseId: record.response_id,
  channelId: record.channel_id,
  keyId: record.key_id,
  model: record.model,
  createdAtMs: record.created_at,
  askAtMs: record.ask_at,
  bill: record.bill,
});

/** Background responses in the database. */
export const createBackgroundResponseStore = ({ writer }: Database): BackgroundResponseStore => ({
  async add({ holdId, userId, responseId, channelId, keyId, model, createdAtMs, askAtMs, bill }) {
    await writer
      .insertInto('background_responses')
      .values({
        hold_id: holdId,
        user_id: userId,
        response_id: responseId,
        channel_id: channelId,
        key_id: keyId,
        model,
        created_at: createdAtMs,
        ask_at: Math.round(askAtMs),
        bill,
      })
      .execute();
  },
  async change(holdId, changes) {
    await writer
      .updateTable('background_responses')
      .set(columnsOf(changes))
      .where('hold_id', '=', holdId)
      .execute();
  },
  async find(userId, responseId) {
    if (responseId === '') return undefined;
    const record = await writer
      .selectFrom('background_responses')
      .selectAll()
      .where('response_id', '=', responseId)
      .where('user_id', '=', userId)
      .executeTakeFirst();
    return record === undefined ? undefined : responseOf(record);
  },
  async takeDue(nowMs, againAtMs, limit) {
    // A longer wait is from before the clock was set back.
    const impossibleMs = nowMs + LONGEST_WAIT_MS;
    const isDue = (is: ExpressionBuilder<Schema, 'background_responses'>) =>
      is.or([
        is('ask_at', '<=', nowMs),
        is.and([is('ask_at', '>', impossibleMs), is('response_id', '<>', '')]),
      ]);
    const due = writer
      .selectFrom('background_responses')
      .select('hold_id')
      .where(isDue)
      .orderBy('ask_at')
      .limit(limit);
    const records = await writer
      .updateTable('background_responses')
      .set({ ask_at: againAtMs })
      .where('hold_id', 'in', due)
      // The condition is repeated for the row itself, because another node may have claimed it since it was selected.
      .where(isDue)
      .returningAll()
      .execute();
    return records.map(responseOf);
  },
  async forget(holdId) {
    await writer.deleteFrom('background_responses').where('hold_id', '=', holdId).execute();
  },
});
