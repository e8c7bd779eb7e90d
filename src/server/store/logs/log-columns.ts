import { completionTokens, promptTokens } from '#core/chat/usage.ts';
import type { LogEntry } from '#core/ledger/book.ts';
import { valuesOf } from '../ledger/flat-records.ts';
import { storable } from '../database/storable.ts';
import type { LogsTable } from '../database/log-schema.ts';

type NewLog = Omit<LogsTable, 'id'>;

/** Every column except the id, with its PostgreSQL type. A missing column or wrong type does not compile. */
const types: { readonly [Name in keyof NewLog]: NewLog[Name] extends number | null ? 'bigint' : 'text' } = {
  created_at: 'bigint',
  type: 'bigint',
  user_id: 'bigint',
  username_id: 'bigint',
  token_id: 'bigint',
  token_name_id: 'bigint',
  channel_id: 'bigint',
  group_id: 'bigint',
  model_id: 'bigint',
  program_id: 'bigint',
  quota: 'bigint',
  prompt_tokens: 'bigint',
  completion_tokens: 'bigint',
  use_time_ms: 'bigint',
  is_stream: 'bigint',
  ip: 'text',
  request_id: 'text',
  content: 'text',
  other: 'text',
  cost: 'bigint',
  session: 'text',
  cached_tokens: 'bigint',
  saved: 'bigint',
  priced: 'text',
};

const rowOf = ({ log, quotaUnits }: LogEntry, nameId: (name: string) => number): NewLog => ({
  created_at: log.createdAtMs,
  type: log.type,
  user_id: log.userId,
  username_id: nameId(log.username),
  token_id: log.tokenId,
  token_name_id: nameId(log.tokenName),
  channel_id: log.channelId,
  group_id: nameId(log.group),
  model_id: nameId(log.model),
  program_id: nameId(log.program ?? ''),
  quota: quotaUnits,
  prompt_tokens: promptTokens(log.usage),
  completion_tokens: completionTokens(log.usage),
  use_time_ms: Math.round(log.useTimeMs),
  is_stream: log.isStream ? 1 : 0,
  ip: log.ip,
  request_id: log.requestId,
  content: storable(log.content),
  other: log.other,
  cost: log.costNano ?? null,
  session: log.session ?? null,
  cached_tokens: log.usage.cacheReadTokens,
  saved: log.savedUnits ?? 0,
  priced: log.priced ?? null,
});

/** The columns in the order of `logValues`. */
export const LOG_COLUMNS = Object.keys(types) as (keyof NewLog)[];

/** Their types, in the same order. */
export const LOG_TYPES: readonly string[] = Object.values(types);

const valuesInOrder = valuesOf<NewLog>(LOG_COLUMNS);

/** One log row's values in the order of the columns. `nameId` returns the id of a name. */
export const logValues = (entry: LogEntry, nameId: (name: string) => number): (string | number | null)[] =>
  valuesInOrder(rowOf(entry, nameId));
