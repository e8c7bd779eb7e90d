import type { Fields } from '#core/json/fields.ts';

const UNFINISHED: ReadonlySet<unknown> = new Set(['queued', 'in_progress']);

/** Whether a response has the status of an unfinished one. */
export const isUnfinished = (response: Fields): boolean => UNFINISHED.has(response['status']);

/** Whether a body is a finished response. */
export const isOver = (response: Fields): boolean =>
  typeof response['status'] === 'string' && !isUnfinished(response);
