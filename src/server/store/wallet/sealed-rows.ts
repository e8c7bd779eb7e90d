import { type Kysely, type RawBuilder, sql } from 'kysely';
import { logType } from '#contract/codes.ts';
import type { SealedCall, SealedMovement } from '#core/seal/lines.ts';
import type { StoredSeal, Marks } from '#core/seal/seal-store.ts';
import type { Schema } from '../database/schema.ts';
import type { SealRecord } from '../database/seal-schema.ts';

interface CallRow {
  readonly id: number;
  readonly request_id: string;
  readonly user_id: number;
  readonly created_at: number;
  readonly token_id: number;
  readonly token_name: string | null;
  readonly group_name: string | null;
  readonly model: string | null;
  readonly is_stream: number;
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly quota: number;
  readonly other: string;
}

const callOf = (row: CallRow): SealedCall => ({
  id: row.id,
  requestId: row.request_id,
  userId: row.user_id,
  createdAtMs: row.created_at,
  tokenId: row.token_id,
  tokenName: row.token_name ?? '',
  group: row.group_name ?? '',
  model: row.model ?? '',
  isStream: row.is_stream === 1,
  promptTokens: row.prompt_tokens,
  completionTokens: row.completion_tokens,
  units: row.quota,
  other: row.other,
});

/** Charged calls that match a condition on `l`, ordered by id. */
export const readCalls = async (
  from: Kysely<Schema>,
  condition: RawBuilder<unknown>,
  limit: number,
): Promise<SealedCall[]> => {
  const { rows } = await sql<CallRow>`
    SELECT l.id, l.request_id, l.user_id, l.created_at, l.token_id, t.name AS token_name, g.name AS group_name,
      m.name AS model, l.is_stream, l.prompt_tokens, l.completion_tokens, l.quota, l.other
    FROM logs l
    LEFT JOIN names t ON t.id = l.token_name_id
    LEFT JOIN names g ON g.id = l.group_id
    LEFT JOIN names m ON m.id = l.model_id
    WHERE l.type = ${logType.consume} AND ${condition}
    ORDER BY l.id LIMIT ${limit}`.execute(from);
  return rows.map(callOf);
};

/** Balance movements that match a condition on `journal`, ordered by id. */
export const readMovements = async (
  from: Kysely<Schema>,
  condition: RawBuilder<unknown>,
  limit: number,
): Promise<SealedMovement[]> => {
  const { rows } = await sql<{
    id: number;
    user_id: number;
    created_at: number;
    kind: string;
    delta: number;
  }>`
    SELECT id, user_id, created_at, kind, delta FROM journal WHERE delta <> 0 AND ${condition}
    ORDER BY id LIMIT ${limit}`.execute(from);
  return rows.map(({ id, user_id, created_at, kind, delta }) => ({
    id,
    userId: user_id,
    createdAtMs: created_at,
    kind,
    units: delta,
  }));
};

/** The number of charged calls and movements above these ids, up to a limit. */
export const countAfter = async (
  from: Kysely<Schema>,
  { callId, movementId }: Marks,
  most: number,
): Promise<number> => {
  const { rows } = await sql<{ count: number | string }>`
    SELECT count(*) AS count FROM (
      SELECT id FROM logs WHERE type = ${logType.consume} AND id > ${callId} ORDER BY id LIMIT ${most}
    ) c UNION ALL
    SELECT count(*) FROM (
      SELECT id FROM journal WHERE delta <> 0 AND id > ${movementId} ORDER BY id LIMIT ${most}
    ) m`.execute(from);
  return Math.min(
    most,
    rows.reduce((sum, { count }) => sum + Number(count), 0),
  );
};

/** Converts a row to a seal. */
export const sealOf = (row: SealRecord): StoredSeal => ({
  number: row.number,
  day: row.day,
  madeAtMs: row.made_at,
  callId: row.last_log_id,
  movementId: row.last_journal_id,
  line: row.line,
  signature: row.signature,
});
