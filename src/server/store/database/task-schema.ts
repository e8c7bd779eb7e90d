import type { Generated } from 'kysely';

/** Drawings and music: migrations/0005-tasks.ts explains the columns. */
interface TasksTable {
  id: Generated<number>;
  platform: string;
  public_id: string;
  upstream_id: string;
  user_id: number;
  username: string;
  token_id: number;
  token_name: string;
  channel_id: number;
  key_id: Generated<number>;
  group_name: string;
  model: string;
  action: string;
  code: number;
  status: string;
  progress: string;
  prompt: string;
  prompt_en: string;
  description: string;
  caller_state: string;
  created_at: number;
  submitted_at: number;
  started_at: number;
  finished_at: number;
  image_url: string;
  fail_reason: string;
  quota: number;
  notify_hook: string;
  reached_at: string;
  buttons: string;
  properties: string;
  task_data: string;
  pricing: string;
}

/** Which node asks a channel about its tasks: migrations/0041-polled-channels.ts. */
interface PolledChannelsTable {
  channel_id: number;
  node_id: number;
}

export interface TaskTables {
  tasks: TasksTable;
  polled_channels: PolledChannelsTable;
}
