import { z } from 'zod';
import { redact } from './redact.ts';

/**
 * The last moment of the year 9999 in milliseconds, the latest that the console and other languages can show as a date.
 */
const LAST_MS = 253_402_300_799_999;

/**
 * Parses a time that an upstream reports for a task, as whole milliseconds; 0 if there is none or it is invalid.
 * Columns of times accept nothing else, and a row that cannot be written would leave its task open.
 * @param unitMs the upstream's unit in milliseconds: 1 or 1,000
 */
export const reportedTime = (unitMs: number) =>
  z
    .number()
    .transform((units) => Math.trunc(units * unitMs))
    .pipe(z.number().int().min(0).max(LAST_MS))
    .catch(0);

/** Parses an upstream's message about a task, without keys, even masked ones, and without internal addresses. */
export const reportedWords = z
  .string()
  .catch('')
  .transform((words) => redact(words));
