import type { ChatFormat } from './chat-format.ts';

/** What one event of a reply says that the playground shows. */
export interface Chunk {
  readonly text: string;
  readonly reasoning: string;
  /** The answer was refused or broke off: the sentence why. */
  readonly error: string | undefined;
  readonly completionTokens: number | undefined;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

const field = (value: unknown, ...path: readonly string[]): unknown =>
  path.reduce<unknown>((at, name) => (isObject(at) ? at[name] : undefined), value);

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

const count = (value: unknown): number | undefined =>
  typeof value === 'number' && value > 0 ? value : undefined;

const first = (value: unknown): unknown => (Array.isArray(value) ? value[0] : undefined);

/** The sentence of an error body, in the relay's form or the console's; undefined where it is none. */
export const errorOf = (body: unknown): string | undefined => {
  const error = field(body, 'error');
  const sentence = text(error) || text(field(error, 'message'));
  if (sentence !== '') return sentence;
  if (isObject(error)) return JSON.stringify(error);
  return field(body, 'success') === false ? text(field(body, 'message')) || undefined : undefined;
};

type Said = Partial<Chunk>;

const chatChunk = (chunk: unknown): Said => {
  const delta = field(first(field(chunk, 'choices')), 'delta');
  return {
    text: text(field(delta, 'content')),
    reasoning: text(field(delta, 'reasoning_content')) || text(field(delta, 'reasoning')),
    completionTokens: count(field(chunk, 'usage', 'completion_tokens')),
  };
};

const responsesEvent = (event: unknown): Said => {
  switch (field(event, 'type')) {
    case 'response.output_text.delta':
      return { text: text(field(event, 'delta')) };
    case 'response.reasoning_text.delta':
    case 'response.reasoning_summary_text.delta':
      return { reasoning: text(field(event, 'delta')) };
    case 'response.completed':
    case 'response.incomplete':
      return { completionTokens: count(field(event, 'response', 'usage', 'output_tokens')) };
    case 'response.failed':
      return { error: text(field(event, 'response', 'error', 'message')) || 'response.failed' };
    case 'error':
      return { error: text(field(event, 'message')) || errorOf(event) };
    default:
      return {};
  }
};

const messagesEvent = (event: unknown): Said => ({
  text: text(field(event, 'delta', 'text')),
  reasoning: text(field(event, 'delta', 'thinking')),
  completionTokens:
    field(event, 'type') === 'message_delta' ? count(field(event, 'usage', 'output_tokens')) : undefined,
});

const geminiEvent = (event: unknown): Said => {
  const parts = field(first(field(event, 'candidates')), 'content', 'parts');
  const all = Array.isArray(parts) ? parts : [];
  const said = (isThought: boolean): string =>
    all
      .filter((part) => (field(part, 'thought') === true) === isThought)
      .map((part) => text(field(part, 'text')))
      .join('');
  const used = field(event, 'usageMetadata');
  const tokens = [field(used, 'candidatesTokenCount'), field(used, 'thoughtsTokenCount')].map(Number);
  return {
    text: said(false),
    reasoning: said(true),
    completionTokens: count(tokens.reduce((sum, n) => sum + (n > 0 ? n : 0), 0)),
  };
};

const readers: Readonly<Record<ChatFormat, (event: unknown) => Said>> = {
  'openai-chat': chatChunk,
  'openai-responses': responsesEvent,
  'anthropic-messages': messagesEvent,
  gemini: geminiEvent,
};

/** Reads one event's data; undefined where it is no JSON. */
export const readChunk = (format: ChatFormat, data: string): Chunk | undefined => {
  let event: unknown;
  try {
    event = JSON.parse(data);
  } catch {
    return undefined;
  }
  const said = readers[format](event);
  return {
    text: said.text ?? '',
    reasoning: said.reasoning ?? '',
    error: said.error ?? errorOf(event),
    completionTokens: said.completionTokens,
  };
};
