/**
 * The arguments of a call as JSON text; empty if there are none. OpenAI's formats hold them as text, the others as an object,
 * and some compatible upstreams and programs do it the other way round.
 */
export const readArguments = (value: unknown): string => {
  if (typeof value === 'string') return value;
  return value === undefined || value === null ? '' : JSON.stringify(value);
};

/**
 * The arguments of an earlier call as OpenAI's formats hold them. Upstreams parse the text as JSON, so it must not be
 * empty.
 */
export const writeArguments = (text: string): string => (text.trim() === '' ? '{}' : text);
