import type { Generated, GeneratedAlways, Insertable, Selectable } from 'kysely';
import type { IdentityField } from '#contract/sign-in-services.ts';
import type { KeptResponseTables } from './kept-response-schema.ts';
import type { LogTables } from './log-schema.ts';
import type { PriceTables } from './price-schema.ts';
import type { RememberedTables } from './remembered-schema.ts';
import type { TaskTables } from './task-schema.ts';
import type { SealTables } from './seal-schema.ts';
import type { SettingColumns } from './token-columns.ts';
import type { WalletTables } from './wallet-schema.ts';

// The tables as the query builder sees them. Times are milliseconds since 1970, flags 0 or 1, quotas quota units. The
// files in migrations/ create them and explain the columns.

type IdentityColumns = Record<IdentityField, Generated<string>>;

export interface UsersTable extends IdentityColumns {
  id: Generated<number>;
  username: string;
  /** Null for old accounts if another account has the same name in a different case. */
  name_key: string | null;
  display_name: string;
  email: string;
  password_hash: string;
  role: number;
  status: number;
  group_name: string;
  quota: Generated<number>;
  held: Generated<number>;
  used_quota: Generated<number>;
  request_count: Generated<number>;
  aff_code: string;
  aff_count: Generated<number>;
  aff_quota: Generated<number>;
  aff_history_quota: Generated<number>;
  inviter_id: number;
  quota_warned_at: Generated<number>;
  access_token_hash: Generated<string | null>;
  setting: Generated<string>;
  created_at: number;
  deleted_at: number | null;
}

export interface TokensTable extends SettingColumns {
  id: Generated<number>;
  user_id: number;
  name: string;
  status: number;
  key_mac: string;
  key_encrypted: string;
  key_prefix: string;
  created_at: number;
  accessed_at: number;
  issued_quota: number;
  held: Generated<number>;
  used_quota: Generated<number>;
  deleted_at: number | null;
}

export interface ChannelsTable {
  id: Generated<number>;
  type: number;
  name: string;
  status: number;
  key_encrypted: string;
  key_mac: string;
  organization: string;
  base_url: string;
  other: string;
  models: string;
  groups: string;
  model_mapping: string;
  status_code_mapping: string;
  setting: string;
  param_override: string;
  test_model: string;
  max_input_tokens: number;
  priority: number;
  weight: number;
  auto_disable: number;
  tag: string | null;
  remark: Generated<string>;
  used_quota: Generated<number>;
  balance_usd: Generated<number>;
  balance_updated_at: Generated<number>;
  response_time_ms: Generated<number>;
  tested_at: Generated<number>;
  created_at: number;
  other_info: Generated<string>;
  pool_mode: Generated<string>;
  keys_version: Generated<number>;
  revision: Generated<number>;
  /** `models` in lower case, for searching; not part of a record. */
  models_lower: GeneratedAlways<string>;
}

/** migrations/0022-channel-keys.ts explains the columns. */
export interface ChannelKeysTable {
  id: Generated<number>;
  channel_id: number;
  label: string;
  tail: string;
  key_encrypted: string;
  key_mac: string;
  status: string;
  reason: string;
  until_ms: number;
  rounds: number;
  proxy: string;
  proxy_password: string;
  weight: number;
  limits: string;
  revision: number;
  used_quota: Generated<number>;
  created_at: number;
  changed_at: number;
  tested_at: Generated<number>;
}

interface OptionsTable {
  key: string;
  value: string;
}

interface TicketsTable {
  kind: string;
  key: string;
  value: string;
  tries: Generated<number>;
  created_at: number;
  expires_at: number;
}

interface SecondFactorsTable {
  user_id: number;
  secret_encrypted: string;
  confirmed_at: number | null;
  last_step: Generated<number>;
}

interface BackupCodesTable {
  user_id: number;
  code_mac: string;
}

interface PasskeysTable {
  id: Generated<number>;
  credential_id: string;
  user_id: number;
  public_key: string;
  counter: number;
  transports: string;
  name: string;
  created_at: number;
  used_at: number | null;
}

interface LimitCountsTable {
  key: string;
  count: number;
  ends_at: number;
}

interface SessionsTable {
  id_hash: string;
  user_id: number;
  created_at: number;
  last_seen_at: number;
  expires_at: number;
  ip: string;
  user_agent: string;
  fresh_until: Generated<number>;
}

interface HoldsTable {
  id: string;
  user_id: number;
  token_id: number | null;
  amount: number;
  token_amount: number;
  state: 'open' | 'settled' | 'voided';
  settled: number;
  /** For an open hold: the part of its amount that is not given back, because the quota was set meanwhile. */
  house_loss: number;
  sent: number;
  checkpoint: number;
  created_at: number;
  expires_at: number;
  closed_at: number | null;
  log_id: number | null;
  /** The node that serves the call; null on SQLite, which has only one. */
  node_id: number | null;
}

interface NodesTable {
  id: number;
  beats: number;
}

interface JournalTable {
  id: Generated<number>;
  kind: string;
  ref: string;
  user_id: number;
  delta: number;
  reason: string;
  actor_id: number;
  created_at: number;
  earned: Generated<number>;
  quota_after: Generated<number | null>;
}

interface NamesTable {
  id: Generated<number>;
  name: string;
}

interface ChannelSightingsTable {
  channel_id: number;
  group_name: string;
  client_type: string;
  seen_count: number;
  first_seen_at: number;
  last_seen_at: number;
}

interface ChangesTable {
  kind: string;
  version: number;
}

interface FactsTable {
  key: string;
  value: string;
}

/** All tables, for Kysely. Both engines have the same. */
export interface Schema
  extends RememberedTables, WalletTables, TaskTables, KeptResponseTables, LogTables, PriceTables, SealTables {
  users: UsersTable;
  tokens: TokensTable;
  channels: ChannelsTable;
  channel_keys: ChannelKeysTable;
  channel_sightings: ChannelSightingsTable;
  options: OptionsTable;
  sessions: SessionsTable;
  tickets: TicketsTable;
  second_factors: SecondFactorsTable;
  backup_codes: BackupCodesTable;
  passkeys: PasskeysTable;
  limit_counts: LimitCountsTable;
  holds: HoldsTable;
  nodes: NodesTable;
  journal: JournalTable;
  names: NamesTable;
  changes: ChangesTable;
  facts: FactsTable;
}

export type UserRecord = Selectable<UsersTable>;
export type TokenRecord = Selectable<TokensTable>;
export type ChannelRecord = Omit<Selectable<ChannelsTable>, 'key_mac' | 'models_lower'>;
export type NewChannelRecord = Insertable<ChannelsTable>;
export type JournalRecord = Selectable<JournalTable>;
