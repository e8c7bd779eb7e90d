import type { Migration } from './migration.ts';

/** Links that show the usage of one token. Only a keyed hash of a link's secret is stored. */
export const usageLinks: Migration = {
  name: '0031-usage-links',
  statements: ({ id, integer, end }) => [
    `CREATE TABLE usage_links (
      id ${id},
      token_id ${integer} NOT NULL,
      user_id ${integer} NOT NULL,
      mac TEXT NOT NULL UNIQUE,
      note TEXT NOT NULL,
      created_at ${integer} NOT NULL,
      created_by ${integer} NOT NULL,
      expires_at ${integer},
      opened_at ${integer}
    ${end}`,
    `CREATE INDEX usage_links_token ON usage_links (token_id)`,
  ],
};
