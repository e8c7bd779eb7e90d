import type { Migration } from './migration.ts';

/** Responses that upstreams process in the background, until their cost is charged. */
export const backgroundResponses: Migration = {
  name: '0010-background-responses',
  statements: ({ integer, clustered }) => [
    // response_id is empty until the upstream has accepted it; bill is JSON with what is needed to charge and log it.
    `CREATE TABLE background_responses (
      hold_id TEXT NOT NULL PRIMARY KEY,
      user_id ${integer} NOT NULL,
      response_id TEXT NOT NULL,
      channel_id ${integer} NOT NULL,
      model TEXT NOT NULL,
      created_at ${integer} NOT NULL,
      ask_at ${integer} NOT NULL,
      bill TEXT NOT NULL
    ${clustered}`,
    `CREATE INDEX background_responses_id ON background_responses (response_id)`,
    `CREATE INDEX background_responses_ask ON background_responses (ask_at)`,
  ],
};
