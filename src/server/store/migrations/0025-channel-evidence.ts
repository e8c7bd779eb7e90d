import type { Migration } from './migration.ts';

/** What channels' replies show about their upstreams: daily sums, with days counted from 1970. */
export const channelEvidence: Migration = {
  name: '0025-channel-evidence',
  statements: ({ integer, clustered }) => [
    `CREATE TABLE channel_evidence (
      day ${integer} NOT NULL,
      channel_id ${integer} NOT NULL,
      model TEXT NOT NULL,
      measure TEXT NOT NULL,
      detail TEXT NOT NULL,
      calls ${integer} NOT NULL,
      amount ${integer} NOT NULL,
      PRIMARY KEY (channel_id, day, model, measure, detail)
    ${clustered}`,
  ],
};
