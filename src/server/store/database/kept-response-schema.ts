import type { Generated } from 'kysely';

/** Responses stored by upstreams: migrations/0008-kept-responses.ts explains the columns. */
interface KeptResponsesTable {
  user_id: number;
  response_id: string;
  token_id: number;
  channel_id: number;
  key_index: number;
  model: string;
  created_at: number;
  expires_at: number;
  context_tokens: Generated<number>;
}

/** Responses still in progress: migrations/0010-background-responses.ts explains the columns. */
interface BackgroundResponsesTable {
  hold_id: string;
  user_id: number;
  response_id: string;
  channel_id: number;
  key_id: Generated<number>;
  model: string;
  created_at: number;
  ask_at: number;
  bill: string;
}

export interface KeptResponseTables {
  background_responses: BackgroundResponsesTable;
  kept_responses: KeptResponsesTable;
}
