import { z } from 'zod';

/**
 * A backup is gzipped text with one JSON value per line: the head; for each table its name, then its rows; the end. It
 * is the same for both engines, so a backup of one can be restored into the other.
 */

/** Increased when a reader of older backups would misread newer ones. */
export const BACKUP_FORMAT = 1;

export const headLine = z.object({
  tollgateBackup: z.literal(BACKUP_FORMAT),
  createdAtMs: z.number(),
  /** The migrations that had been run. */
  steps: z.array(z.string()),
});

export const tableLine = z.object({
  table: z.string(),
  columns: z.array(z.string()).min(1),
  /** The last id the database assigned; null if it does not assign ids. */
  lastId: z.number().nullable(),
});

/** Text, whole numbers up to 2^53−1 and doubles: our tables hold nothing else, and JSON represents them exactly. */
export const rowLine = z.array(z.union([z.string(), z.number(), z.null()]));

export const endLine = z.object({ rows: z.number() });

export type TableLine = z.infer<typeof tableLine>;
export type Row = z.infer<typeof rowLine>;
