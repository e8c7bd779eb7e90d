import type { Migration } from './migration.ts';

const columns = [
  'hour',
  'type',
  'user_id',
  'token_id',
  'token_name_id',
  'model_id',
  'channel_id',
  'group_id',
  'program_id',
  'calls',
  'quota',
  'prompt_tokens',
  'completion_tokens',
  'log_rows',
  'log_quota',
  'cost',
  'uncosted_calls',
  'uncosted_quota',
  'cached_tokens',
  'saved',
] as const;
const KEYS = 9;
/** The columns added after the table was created. */
const LATER: ReadonlySet<string> = new Set(['program_id', ...columns.slice(columns.indexOf('cost'))]);
const all = columns.join(', ');

/**
 * The calling program, for each call and per hour; 0 before this migration. The values rows are sorted by are in the
 * index that filters them, so that sorting need not read the rows.
 */
export const usageByProgram: Migration = {
  name: '0027-usage-by-program',
  statements: ({ integer, clustered }) => [
    `ALTER TABLE logs ADD COLUMN program_id ${integer} NOT NULL DEFAULT 0`,
    `CREATE TABLE usage_hours_by_program (
      ${columns.map((name) => `${name} ${integer} NOT NULL${LATER.has(name) ? ' DEFAULT 0' : ''}`).join(', ')},
      PRIMARY KEY (${columns.slice(0, KEYS).join(', ')})
    ${clustered}`,
    `INSERT INTO usage_hours_by_program (${all}) SELECT ${all.replace('program_id', '0')} FROM usage_hours`,
    `DROP TABLE usage_hours`,
    `ALTER TABLE usage_hours_by_program RENAME TO usage_hours`,
    `CREATE INDEX usage_hours_user ON usage_hours (user_id, hour)`,
    `CREATE INDEX usage_hours_token ON usage_hours (token_name_id, hour)`,
    `CREATE INDEX usage_hours_token_id ON usage_hours (token_id, hour)`,
    `DROP INDEX logs_scan`,
    `CREATE INDEX logs_scan ON logs (created_at, id, type, user_id, token_id, token_name_id, model_id, channel_id, group_id,
      program_id, quota, prompt_tokens, completion_tokens, use_time_ms)`,
  ],
};
