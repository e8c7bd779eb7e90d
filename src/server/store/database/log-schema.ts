import type { AllowanceDay } from '#core/cost/allowance-use.ts';
import type { Generated } from 'kysely';

export interface LogsTable {
  id: Generated<number>;
  created_at: number;
  type: number;
  user_id: number;
  username_id: number;
  token_id: number;
  token_name_id: number;
  channel_id: number;
  group_id: number;
  model_id: number;
  program_id: number;
  quota: number;
  prompt_tokens: number;
  completion_tokens: number;
  use_time_ms: number;
  is_stream: number;
  ip: string;
  request_id: string;
  content: string;
  other: string;
  cost: number | null;
  /** A keyed hash; null if the call has no session. */
  session: string | null;
  cached_tokens: number;
  saved: number;
  priced: string | null;
}

export interface UsageHoursTable {
  hour: number;
  type: number;
  user_id: number;
  /** 0 for the playground, and if the token is unknown. */
  token_id: number;
  token_name_id: number;
  model_id: number;
  channel_id: number;
  group_id: number;
  /** 0 if it was not recorded. */
  program_id: number;
  calls: number;
  quota: number;
  prompt_tokens: number;
  completion_tokens: number;
  log_rows: number;
  log_quota: number;
  cost: number;
  uncosted_calls: number;
  uncosted_quota: number;
  cached_tokens: number;
  saved: number;
}

/** The totals of all users for finished hours, by one dimension. */
interface UsageTotalsTable extends Pick<
  UsageHoursTable,
  | 'hour'
  | 'type'
  | 'calls'
  | 'quota'
  | 'prompt_tokens'
  | 'completion_tokens'
  | 'cost'
  | 'uncosted_calls'
  | 'uncosted_quota'
  | 'cached_tokens'
  | 'saved'
> {
  dimension: string;
  /** The id of the channel, user or token; else 0. */
  key_id: number;
  /** The id in `names`, for dimensions identified by name only; else 0. */
  name_id: number;
}

interface TotalledHoursTable {
  hour: number;
  is_ready: number;
  by_run: string;
  /** Whether its packs have all its calls. */
  is_packed: Generated<number>;
}

/** Calls of an hour, as `CallPack` has them. */
interface PackedCallsTable {
  hour: number;
  part: number;
  calls: number;
  first_ms: number;
  last_ms: number;
  data: string;
}

interface HouseCostsTable {
  day: number;
  channel_id: number;
  kind: string;
  calls: number;
  cost: number;
  uncosted_calls: number;
  estimated_calls: Generated<number>;
}

interface AllowanceDaysTable {
  day: number;
  channel_id: number;
  key_id: number;
  unit: AllowanceDay['unit'];
  name: string;
  given: number;
}

interface ChannelEvidenceTable {
  day: number;
  channel_id: number;
  model: string;
  measure: string;
  detail: string;
  calls: number;
  amount: number;
}

interface ModelAvailabilityTable {
  stretch: number;
  start: number;
  group_name: string;
  model: string;
  measure: 'answered' | 'failed' | 'first_token';
  bucket: number;
  calls: number;
  callers: number;
}

export interface LogDaysTable {
  day: number;
  type: number;
  model_id: number;
  channel_id: number;
  group_id: number;
  log_rows: number;
  log_quota: number;
}

export interface LogTables {
  logs: LogsTable;
  usage_hours: UsageHoursTable;
  log_days: LogDaysTable;
  usage_totals: UsageTotalsTable;
  totalled_hours: TotalledHoursTable;
  packed_calls: PackedCallsTable;
  house_costs: HouseCostsTable;
  allowance_days: AllowanceDaysTable;
  channel_evidence: ChannelEvidenceTable;
  model_availability: ModelAvailabilityTable;
}
