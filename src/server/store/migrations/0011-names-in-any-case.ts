import type { Migration } from './migration.ts';

/** Finds a username regardless of case: a new one must not look like an existing one. */
export const namesInAnyCase: Migration = {
  name: '0011-names-in-any-case',
  statements: () => [`CREATE INDEX users_username_any_case ON users (lower(username))`],
};
