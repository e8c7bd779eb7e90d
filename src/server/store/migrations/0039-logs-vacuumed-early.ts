import type { Migration } from './migration.ts';

/**
 * PostgreSQL can use an index alone only for pages that a vacuum has marked as visible to all. By default it vacuums a
 * table that only grows after a fifth of it is new: of ten million log rows, up to two million would be read four times
 * as slowly. This setting vacuums after a hundredth, which costs little because only new pages are read.
 */
export const logsVacuumedEarly: Migration = {
  name: '0039-logs-vacuumed-early',
  statements: ({ storage }) =>
    storage(
      'logs',
      'autovacuum_vacuum_insert_scale_factor = 0.01, autovacuum_vacuum_insert_threshold = 50000',
    ),
};
