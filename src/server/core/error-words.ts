/**
 * What an error says, for the operator. Node's own has no words of its own where it stands for others: of a host with several
 * addresses each has failed in its own way, and `fetch failed` hides why.
 */
export const errorWords = (error: unknown): string => {
  if (error instanceof AggregateError) return error.errors.map(errorWords).join('; ');
  if (error instanceof TypeError && error.cause instanceof Error) return errorWords(error.cause);
  return error instanceof Error ? error.message : String(error);
};
