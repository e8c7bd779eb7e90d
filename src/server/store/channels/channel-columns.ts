import type { ChannelChanges } from '#core/channel/channel.ts';

import type { ChannelsTable } from '../database/schema.ts';

/** The column of each field. */
const columnOf = {
  type: 'type',
  name: 'name',
  status: 'status',
  encryptedKey: 'key_encrypted',
  keyMac: 'key_mac',
  organization: 'organization',
  baseUrl: 'base_url',
  other: 'other',
  models: 'models',
  groups: 'groups',
  modelMapping: 'model_mapping',
  statusCodeMapping: 'status_code_mapping',
  setting: 'setting',
  paramOverride: 'param_override',
  testModel: 'test_model',
  maxInputTokens: 'max_input_tokens',
  priority: 'priority',
  weight: 'weight',
  tag: 'tag',
  remark: 'remark',
  balanceUsd: 'balance_usd',
  balanceUpdatedAtMs: 'balance_updated_at',
  responseTimeMs: 'response_time_ms',
  testedAtMs: 'tested_at',
  otherInfo: 'other_info',
  poolMode: 'pool_mode',
} as const satisfies Partial<Record<keyof ChannelChanges, keyof ChannelsTable>>;

/** The columns of the changed fields. */
export const changedColumns = ({
  autoDisable,
  ...changes
}: ChannelChanges): Record<string, string | number | null> => {
  const columns: Record<string, string | number | null> = {};
  for (const [field, column] of Object.entries(columnOf)) {
    const value = changes[field as keyof typeof columnOf];
    if (value !== undefined) columns[column] = value;
  }
  if (autoDisable !== undefined) columns['auto_disable'] = autoDisable ? 1 : 0;
  return columns;
};

/**
 * The columns that a record is read from. Columns that are only searched are left out, because lists of models are
 * long.
 */
export const recordColumns = [
  'id',
  'type',
  'name',
  'status',
  'key_encrypted',
  'organization',
  'base_url',
  'other',
  'models',
  'groups',
  'model_mapping',
  'status_code_mapping',
  'setting',
  'param_override',
  'test_model',
  'max_input_tokens',
  'priority',
  'weight',
  'auto_disable',
  'tag',
  'remark',
  'used_quota',
  'balance_usd',
  'balance_updated_at',
  'response_time_ms',
  'tested_at',
  'created_at',
  'other_info',
  'pool_mode',
  'keys_version',
  'revision',
] as const satisfies readonly (keyof ChannelsTable)[];
