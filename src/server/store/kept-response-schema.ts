/** Responses that upstreams keep: migrations/0008-kept-responses.ts explains the columns. */
interface KeptResponsesTable {
  user_id: number;
  response_id: string;
  token_id: number;
  channel_id: number;
  key_index: number;
  model: string;
  created_at: number;
  expires_at: number;
}

export interface KeptResponseTables {
  kept_responses: KeptResponsesTable;
}
