import type { ChannelChanges } from '#core/channel/channel.ts';

import type { ChannelRecord } from '../database/schema.ts';

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
} as const satisfies Partial<Record<keyof ChannelChanges, keyof ChannelRecord>>;

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
