import type { Migration } from './migration.ts';

/** Which channel stores which response, so that later calls about it reach that channel. */
export const keptResponses: Migration = {
  name: '0008-kept-responses',
  statements: ({ integer, clustered }) => [
    // The owner is part of the key: two upstreams may use the same id, and nobody can access another user's response.
    `CREATE TABLE kept_responses (
      user_id ${integer} NOT NULL,
      response_id TEXT NOT NULL,
      token_id ${integer} NOT NULL,
      channel_id ${integer} NOT NULL,
      key_index ${integer} NOT NULL,
      model TEXT NOT NULL,
      created_at ${integer} NOT NULL,
      expires_at ${integer} NOT NULL,
      PRIMARY KEY (user_id, response_id)
    ${clustered}`,
    `CREATE INDEX kept_responses_id ON kept_responses (response_id)`,
    `CREATE INDEX kept_responses_expiry ON kept_responses (expires_at)`,
  ],
};
