import { type Kysely, sql } from 'kysely';
import { logType } from '#contract/codes.ts';
import { parsed } from '#contract/json-text.ts';
import { fieldsOf } from '#core/json/fields.ts';
import type { OwnCall } from '#core/reconcile/reconciliation.ts';
import type { Schema } from '../database/schema.ts';

const ROWS_AT_ONCE = 1000;

interface CallsAsked {
  readonly channelIds: readonly number[];
  readonly fromMs: number;
  readonly untilMs: number;
}

interface FoundCall {
  readonly id: number;
  readonly created_at: number;
  readonly type: number;
  readonly request_id: string;
  readonly model: string | null;
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly cached_tokens: number;
  readonly cost: number | null;
  readonly use_time_ms: number;
  /** Empty if neither the upstream's model nor its id differs from ours. */
  readonly details: string;
}

/** The next rows of channels in the order of time, looked up by the narrow index. */
const rowsAfter = async (
  reader: Kysely<Schema>,
  { channelIds, fromMs, untilMs }: CallsAsked,
  last: FoundCall | undefined,
  rowsAtOnce: number,
): Promise<readonly FoundCall[]> => {
  const since = last?.created_at ?? fromMs;
  const key = last === undefined ? sql`` : sql`AND (logs.created_at > ${since} OR logs.id > ${last.id})`;
  const { rows } = await sql<FoundCall>`
    SELECT logs.id, logs.created_at, logs.type, logs.request_id, names.name AS model, logs.prompt_tokens,
      logs.completion_tokens, logs.cached_tokens, logs.cost, logs.use_time_ms,
      CASE WHEN logs.other LIKE '%"upstream\\_%' ESCAPE '\\' THEN logs.other ELSE '' END AS details
    FROM logs LEFT JOIN names ON names.id = logs.model_id
    WHERE logs.created_at >= ${since} AND logs.created_at <= ${untilMs} ${key}
      AND logs.channel_id IN (${sql.join(channelIds)}) AND logs.type IN (${logType.consume}, ${logType.error})
    ORDER BY logs.created_at, logs.id LIMIT ${rowsAtOnce}`.execute(reader);
  return rows;
};

const textIn = (fields: Readonly<Record<string, unknown>>, name: string): string | undefined => {
  const value = fields[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
};

const callOf = (row: FoundCall): OwnCall => {
  const fields = fieldsOf(parsed(row.details));
  return {
    requestId: row.request_id,
    createdAtMs: row.created_at,
    useTimeMs: row.use_time_ms,
    model: textIn(fields, 'upstream_model_name') ?? row.model ?? '',
    upstreamId: textIn(fieldsOf(fields['admin_info']), 'upstream_id'),
    promptTokens: row.prompt_tokens,
    completionTokens: row.completion_tokens,
    cachedTokens: row.cached_tokens,
    costNano: row.cost ?? undefined,
  };
};

/**
 * Passes on the charged calls of channels, oldest first, read page by page.
 * @returns how many calls failed, which upstreams may have charged without anybody here paying
 */
export const eachChannelCall = async (
  reader: Kysely<Schema>,
  asked: CallsAsked,
  add: (call: OwnCall) => void,
  rowsAtOnce = ROWS_AT_ONCE,
): Promise<number> => {
  let failed = 0;
  let last: FoundCall | undefined;
  for (;;) {
    const rows = await rowsAfter(reader, asked, last, rowsAtOnce);
    for (const row of rows) {
      if (row.type === logType.error) failed += 1;
      else add(callOf(row));
    }
    if (rows.length < rowsAtOnce) return failed;
    last = rows.at(-1);
  }
};
