import type { Migration } from './migration.ts';

/**
 * One account for each name, whatever its letters look like: `name_key` is the name as `nameKey` folds it, and the
 * index refuses the second of two that are made at one instant. Of old accounts with one name in several cases the
 * first has it; the others stay without.
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
