import type { z } from 'zod';

/**
 * The object as the editor read it, or some of its fields. If others have changed a field since that the editor changes,
 * too, nothing is saved: the answer has the code `changed_meanwhile` and names the fields. What is not sent replaces
 * whatever is there, as in the family.
 */
export const was = <Row extends z.ZodObject>(row: Row) => row.partial().optional();
