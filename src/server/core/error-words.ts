/**
 * The message of an error, for the operator. Some of Node's errors have none of their own because they stand for
 * others: each address of a host may have failed in its own way, and `fetch failed` hides the reason.
 */
export const errorWords = (error: unknown): string => {
  if (error instanceof AggregateError) return error.errors.map(errorWords).join('; ');
  if (error instanceof TypeError && error.cause instanceof Error) return errorWords(error.cause);
  return error instanceof Error ? error.message : String(error);
};
