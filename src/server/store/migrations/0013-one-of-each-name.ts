import type { Migration } from './migration.ts';

/**
 * One account per name, however its letters look: `name_key` is the name as `nameKey` folds it, and the index rejects
 * the second of two created at once. If old accounts have the same name in different cases, only the first has a key.
 */
export const oneOfEachName: Migration = {
  name: '0013-one-of-each-name',
  statements: () => [
    `ALTER TABLE users ADD COLUMN name_key TEXT`,
    `UPDATE users SET name_key = lower(username)
      WHERE id = (SELECT min(same.id) FROM users same WHERE lower(same.username) = lower(users.username))`,
    `CREATE UNIQUE INDEX users_name_key ON users (name_key)`,
  ],
};
