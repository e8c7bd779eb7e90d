import { z } from 'zod';

/**
 * A backup is gzipped text, a JSON value a line: the head; for each table its name, then its rows; the end. It says the
 * same of both engines, so what was kept in one may go on in the other.
 */

/** Changes when a reader of older backups would misread a newer one. */
export const BACKUP_FORMAT = 1;

export const headLine = z.object({
  tollgateBackup: z.literal(BACKUP_FORMAT),
  createdAtMs: z.number(),
  /** The steps that had made the tables. */
  steps: z.array(z.string()),
});

export const tableLine = z.object({
  table: z.string(),
  columns: z.array(z.string()).min(1),
  /** The last number that the database gave to a row; null where it gives none. */
  lastId: z.number().nullable(),
});

/** Text, whole numbers up to 2^53−1 and doubles: all that our tables hold, and JSON holds it exactly. */
export const rowLine = z.array(z.union([z.string(), z.number(), z.null()]));

export const endLine = z.object({ rows: z.number() });

export type TableLine = z.infer<typeof tableLine>;
export type Row = z.infer<typeof rowLine>;
