import type { Migration } from './migration.ts';

/** Finds a username however its letters are written: a new one must not look like one that is there. */
export const namesInAnyCase: Migration = {
  name: '0011-names-in-any-case',
  statements: () => [`CREATE INDEX users_username_any_case ON users (lower(username))`],
};
