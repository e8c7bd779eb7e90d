import type { Migration } from './migration.ts';

/** The columns that decide calls. Counters that calls change themselves, and remarks, are not among them. */
const DECIDING = [
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
  'pool_mode',
  'keys_version',
];

/**
 * How often a channel has changed, so that of thousands only the changed ones are read again. The database itself counts,
 * whoever writes: also a node of an older version, and the operator by hand.
 */
export const channelRevisions: Migration = {
  name: '0043-channel-revisions',
  statements: ({ integer, raise }) => [
    `ALTER TABLE channels ADD COLUMN revision ${integer} NOT NULL DEFAULT 0`,
    // Revisions are read from this index, because model lists may be long.
    `CREATE INDEX channels_revision ON channels (id, revision)`,
    // The order of the list.
    `CREATE INDEX channels_priority ON channels (priority, id)`,
    ...raise('channels', 'revision', DECIDING),
  ],
};
