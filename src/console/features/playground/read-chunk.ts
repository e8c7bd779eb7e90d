/** What one chunk of a chat stream says that the playground shows. */
export interface Chunk {
  readonly text: string;
  readonly reasoning: string;
  /** The answer was refused or broke off: the sentence why. */
  readonly error: string | undefined;
  readonly completionTokens: number | undefined;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

const field = (value: unknown, name: string): unknown => (isObject(value) ? value[name] : undefined);

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The sentence of an error body, in the relay's form or the console's; undefined where it is none. */
export const errorOf = (body: unknown): string | undefined => {
  const error = field(body, 'error');
  const sentence = text(error) || text(field(error, 'message'));
  if (sentence !== '') return sentence;
  if (isObject(error)) return JSON.stringify(error);
  return field(body, 'success') === false ? text(field(body, 'message')) || undefined : undefined;
};

/** Reads one event's data; undefined where it is no JSON. */
export const readChunk = (data: string): Chunk | undefined => {
  let chunk: unknown;
  try {
    chunk = JSON.parse(data);
  } catch {
    return undefined;
  }
  const choices = field(chunk, 'choices');
  const delta = field(Array.isArray(choices) ? choices[0] : undefined, 'delta');
  const tokens = field(field(chunk, 'usage'), 'completion_tokens');
  return {
    text: text(field(delta, 'content')),
    reasoning: text(field(delta, 'reasoning_content')) || text(field(delta, 'reasoning')),
    error: errorOf(chunk),
    completionTokens: typeof tokens === 'number' && tokens > 0 ? tokens : undefined,
  };
};
