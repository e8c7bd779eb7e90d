import type { Migration } from './migration.ts';

/** Drawings and music that upstreams work on. */
export const tasks: Migration = {
  name: '0005-tasks',
  statements: ({ id, integer, end }) => [
    `CREATE TABLE tasks (
      id ${id},
      platform TEXT NOT NULL,
      public_id TEXT NOT NULL UNIQUE,
      upstream_id TEXT NOT NULL,
      user_id ${integer} NOT NULL,
      username TEXT NOT NULL,
      token_id ${integer} NOT NULL,
      token_name TEXT NOT NULL,
      channel_id ${integer} NOT NULL,
      group_name TEXT NOT NULL,
      model TEXT NOT NULL,
      action TEXT NOT NULL,
      code ${integer} NOT NULL,
      status TEXT NOT NULL,
      progress TEXT NOT NULL,
      prompt TEXT NOT NULL,
      prompt_en TEXT NOT NULL,
      description TEXT NOT NULL,
      caller_state TEXT NOT NULL,
      created_at ${integer} NOT NULL,
      submitted_at ${integer} NOT NULL,
      started_at ${integer} NOT NULL,
      finished_at ${integer} NOT NULL,
      image_url TEXT NOT NULL,
      fail_reason TEXT NOT NULL,
      quota ${integer} NOT NULL CHECK (quota >= 0),
      notify_hook TEXT NOT NULL,
      buttons TEXT NOT NULL,
      properties TEXT NOT NULL,
      task_data TEXT NOT NULL,
      pricing TEXT NOT NULL
    ${end}`,
    // For the poller's query, every few seconds.
    `CREATE INDEX tasks_open ON tasks (id) WHERE status NOT IN ('SUCCESS', 'FAILURE')`,
    `CREATE INDEX tasks_user ON tasks (user_id, id)`,
    `CREATE INDEX tasks_upstream ON tasks (upstream_id)`,
  ],
};
