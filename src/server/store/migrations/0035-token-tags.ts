import type { Migration } from './migration.ts';

/**
 * Which tag a token had from the start of one month to the start of another, so that the sums by tag of a finished
 * month never change; and the statements of tags, written once like the others.
 */
export const tokenTags: Migration = {
  name: '0035-token-tags',
  statements: ({ integer, clustered }) => [
    `CREATE TABLE token_tags (
      token_id ${integer} NOT NULL,
      from_hour ${integer} NOT NULL,
      until_hour ${integer} NOT NULL,
      user_id ${integer} NOT NULL,
      tag TEXT NOT NULL,
      PRIMARY KEY (token_id, from_hour)
    ${clustered}`,
    `CREATE INDEX token_tags_user ON token_tags (user_id, tag)`,
    `CREATE TABLE tag_statements (
      user_id ${integer} NOT NULL,
      tag TEXT NOT NULL,
      month TEXT NOT NULL,
      issued_at ${integer} NOT NULL,
      sha256 TEXT NOT NULL,
      document TEXT NOT NULL,
      PRIMARY KEY (user_id, tag, month)
    ${clustered}`,
  ],
};
