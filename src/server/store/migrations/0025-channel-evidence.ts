import type { Migration } from './migration.ts';

/** What the replies of channels say of their upstreams: sums by day, which counts from 1970. */
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
