import type { ChatFormat } from './chat-format.ts';
import type { ToolCall } from '../talk/conversation.ts';
import { newId } from '../../../lib/browser/new-id.ts';
import { type Ending, endingOf } from './ending.ts';
import { count, field, first, isObject, text } from './json-fields.ts';

/** The parts of a stream event that the playground shows. */
export interface Chunk {
  readonly text: string;
  readonly reasoning: string;
  /** New tool calls, or more input for existing ones. */
  readonly tools: readonly ToolCall[];
  /** Pictures as data URLs. */
  readonly images: readonly string[];
  /** Why the answer was refused or broke off. */
  readonly error: string | undefined;
  readonly completionTokens: number | undefined;
  /** The end mark, if this event is one. */
  readonly ending: Ending | undefined;
}

/** The message of an error body in the relay's or the console's form; undefined if it has none. */
export const errorOf = (body: unknown): string | undefined => {
  const error = field(body, 'error');
  const sentence = text(error) || text(field(error, 'message'));
  if (sentence !== '') return sentence;
  if (isObject(error)) return JSON.stringify(error);
  return field(body, 'success') === false ? text(field(body, 'message')) || undefined : undefined;
};

type PartialChunk = Partial<Chunk>;

const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

const keyOf = (value: unknown): string => (typeof value === 'number' ? String(value) : text(value));

/** Only data URLs: the page loads no remote pictures. */
const pictures = (urls: readonly unknown[]): string[] =>
  urls.map(text).filter((url) => url.startsWith('data:image/'));

const chatChunk = (chunk: unknown): PartialChunk => {
  const delta = field(first(field(chunk, 'choices')), 'delta');
  return {
    text: text(field(delta, 'content')) || text(field(delta, 'refusal')),
    reasoning: text(field(delta, 'reasoning_content')) || text(field(delta, 'reasoning')),
    tools: list(field(delta, 'tool_calls')).map((call) => ({
      key: keyOf(field(call, 'index')),
      name: text(field(call, 'function', 'name')),
      input: text(field(call, 'function', 'arguments')),
    })),
    images: pictures(list(field(delta, 'images')).map((image) => field(image, 'image_url', 'url'))),
    completionTokens: count(field(chunk, 'usage', 'completion_tokens')),
  };
};

const responsesEvent = (event: unknown): PartialChunk => {
  switch (field(event, 'type')) {
    case 'response.output_text.delta':
    case 'response.refusal.delta':
      return { text: text(field(event, 'delta')) };
    case 'response.reasoning_text.delta':
    case 'response.reasoning_summary_text.delta':
      return { reasoning: text(field(event, 'delta')) };
    case 'response.output_item.added':
      return { tools: responsesTool(event) };
    case 'response.function_call_arguments.delta':
    case 'response.custom_tool_call_input.delta':
      return {
        tools: [{ key: keyOf(field(event, 'output_index')), name: '', input: text(field(event, 'delta')) }],
      };
    case 'response.output_item.done':
      return { images: responsesPictures(field(event, 'item')) };
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

/** The upstream's own tools have only a type; the caller's have a name. */
const responsesTool = (event: unknown): ToolCall[] => {
  const kind = text(field(event, 'item', 'type'));
  const name = text(field(event, 'item', 'name')) || kind;
  return kind.endsWith('_call') ? [{ key: keyOf(field(event, 'output_index')), name, input: '' }] : [];
};

const responsesPictures = (item: unknown): string[] =>
  field(item, 'type') === 'image_generation_call' && text(field(item, 'result')) !== ''
    ? [`data:image/${text(field(item, 'output_format')) || 'png'};base64,${text(field(item, 'result'))}`]
    : [];

/** A tool's call begins with its name, its input follows in pieces. */
const messagesTool = (event: unknown): ToolCall[] => {
  const key = keyOf(field(event, 'index'));
  const input = text(field(event, 'delta', 'partial_json'));
  if (input !== '') return [{ key, name: '', input }];
  const kind = text(field(event, 'content_block', 'type'));
  return kind.endsWith('tool_use')
    ? [{ key, name: text(field(event, 'content_block', 'name')), input: '' }]
    : [];
};

const messagesEvent = (event: unknown): PartialChunk => ({
  text: text(field(event, 'delta', 'text')),
  reasoning: text(field(event, 'delta', 'thinking')),
  tools: messagesTool(event),
  completionTokens:
    field(event, 'type') === 'message_delta' ? count(field(event, 'usage', 'output_tokens')) : undefined,
});

/** A question that is not answered at all has only this. */
const geminiBlock = (event: unknown): string | undefined => {
  const feedback = field(event, 'promptFeedback');
  return text(field(feedback, 'blockReasonMessage')) || text(field(feedback, 'blockReason')) || undefined;
};

const geminiEvent = (event: unknown): PartialChunk => {
  const parts = field(first(field(event, 'candidates')), 'content', 'parts');
  const all = Array.isArray(parts) ? parts : [];
  const chunk = (isThought: boolean): string =>
    all
      .filter((part) => (field(part, 'thought') === true) === isThought)
      .map((part) => text(field(part, 'text')))
      .join('');
  const used = field(event, 'usageMetadata');
  const tokens = [field(used, 'candidatesTokenCount'), field(used, 'thoughtsTokenCount')].map(Number);
  return {
    text: chunk(false),
    reasoning: chunk(true),
    // Gemini sends each call complete, so each is a new one.
    tools: all.flatMap((part) => {
      const call = field(part, 'functionCall');
      if (!isObject(call)) return [];
      return [{ key: newId(), name: text(call['name']), input: JSON.stringify(call['args'] ?? {}) }];
    }),
    images: pictures(
      all.map(
        (part) =>
          `data:${text(field(part, 'inlineData', 'mimeType'))};base64,${text(field(part, 'inlineData', 'data'))}`,
      ),
    ),
    error: geminiBlock(event),
    completionTokens: count(tokens.reduce((sum, n) => sum + (n > 0 ? n : 0), 0)),
  };
};

const readers: Readonly<Record<ChatFormat, (event: unknown) => PartialChunk>> = {
  'openai-chat': chatChunk,
  'openai-responses': responsesEvent,
  'anthropic-messages': messagesEvent,
  gemini: geminiEvent,
};

/** Reads one event's data; undefined if it is not JSON. */
export const readChunk = (format: ChatFormat, data: string): Chunk | undefined => {
  let event: unknown;
  try {
    event = JSON.parse(data);
  } catch {
    return undefined;
  }
  const chunk = readers[format](event);
  return {
    text: chunk.text ?? '',
    reasoning: chunk.reasoning ?? '',
    tools: chunk.tools ?? [],
    images: chunk.images ?? [],
    error: chunk.error ?? errorOf(event),
    completionTokens: chunk.completionTokens,
    ending: endingOf(format, event),
  };
};
