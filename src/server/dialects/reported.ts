import { z } from 'zod';
import { redact } from './redact.ts';

/** The last moment of the year 9999, milliseconds: what the console and other languages can still show as a date. */
const LAST_MS = 253_402_300_799_999;

/**
 * A time that an upstream reports about a task, read as whole milliseconds; 0 where it reports none, or something that is no
 * time. Columns of times hold nothing else, and a row that cannot be written keeps its task open.
 * @param unitMs what the upstream counts in: 1 or 1,000
 */
export const reportedTime = (unitMs: number) =>
  z
    .number()
    .transform((units) => Math.trunc(units * unitMs))
    .pipe(z.number().int().min(0).max(LAST_MS))
    .catch(0);

/** What an upstream says of a task to people, without keys, also those it has masked itself, and without inner addresses. */
export const reportedWords = z
  .string()
  .catch('')
  .transform((words) => redact(words));
