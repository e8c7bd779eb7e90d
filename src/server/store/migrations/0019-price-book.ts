import type { Migration } from './migration.ts';

/** Who changed which prices and why, and changes that are still drafts. */
export const priceBook: Migration = {
  name: '0019-price-book',
  statements: ({ id, integer, end, clustered }) => [
    `ALTER TABLE price_versions ADD COLUMN author_id ${integer} NOT NULL DEFAULT 0`,
    `ALTER TABLE price_versions ADD COLUMN author TEXT NOT NULL DEFAULT ''`,
    `ALTER TABLE price_versions ADD COLUMN reason TEXT NOT NULL DEFAULT ''`,
    // Null for versions from before changes were counted.
    `ALTER TABLE price_versions ADD COLUMN changes ${integer}`,
    `ALTER TABLE price_versions ADD COLUMN restored_from ${integer}`,
    // What a version changed: values as JSON, null if there was or is none.
    `CREATE TABLE price_changes (
      version ${integer} NOT NULL,
      option_name TEXT NOT NULL,
      name TEXT NOT NULL,
      before TEXT,
      after TEXT,
      PRIMARY KEY (version, option_name, name)
    ${clustered}`,
    `CREATE INDEX price_changes_name ON price_changes (option_name, name, version)`,
    // entries is a JSON list of the values to set.
    `CREATE TABLE price_drafts (
      id ${id},
      author_id ${integer} NOT NULL,
      author TEXT NOT NULL,
      reason TEXT NOT NULL,
      base ${integer} NOT NULL,
      entries TEXT NOT NULL,
      entry_count ${integer} NOT NULL,
      updated_at ${integer} NOT NULL,
      due_at ${integer},
      state TEXT NOT NULL
    ${end}`,
    `CREATE INDEX price_drafts_due ON price_drafts (due_at) WHERE state = 'due'`,
  ],
};
