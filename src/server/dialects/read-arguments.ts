/**
 * The arguments of a call as JSON text; empty if there are none. OpenAI's formats hold them as text, the others as an object,
 * and some compatible upstreams and programs do it the other way round.
 */
export const readArguments = (value: unknown): string => {
  if (typeof value === 'string') return value;
  return value === undefined || value === null ? '' : JSON.stringify(value);
};
