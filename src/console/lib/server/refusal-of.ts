import { messageOf, refusedField } from './api-error.ts';

interface Refusal {
  /** What is wrong with a field. */
  readonly at: (field: string) => string | undefined;
  /** What belongs to none of the fields, for above them. */
  readonly above: string | undefined;
}

/** An error of a form with these fields, called as in the API. */
export const refusalOf = (error: unknown, fields: readonly string[]): Refusal => {
  const named = refusedField(error, fields);
  return {
    at: (field) => (field === named ? messageOf(error) : undefined),
    above: error === null || error === undefined || named !== undefined ? undefined : messageOf(error),
  };
};
