import type { Migration } from './migration.ts';

/**
 * How calls of models ended: hourly and daily sums that begin at `start` (Unix seconds) and cover `stretch` seconds.
 */
export const modelAvailability: Migration = {
  name: '0028-model-availability',
  statements: ({ integer, clustered }) => [
    `CREATE TABLE model_availability (
      stretch ${integer} NOT NULL,
      start ${integer} NOT NULL,
      group_name TEXT NOT NULL,
      model TEXT NOT NULL,
      measure TEXT NOT NULL,
      bucket ${integer} NOT NULL,
      calls ${integer} NOT NULL,
      callers ${integer} NOT NULL,
      PRIMARY KEY (stretch, start, group_name, model, measure, bucket)
    ${clustered}`,
  ],
};
