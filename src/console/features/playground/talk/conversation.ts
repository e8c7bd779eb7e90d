import { newId } from '../../../lib/browser/new-id.ts';
import type { Cut } from '../wire/ending.ts';

/** One turn. Source: specification, chat message. */
export interface Message {
  readonly kind: 'message';
  readonly id: string;
  readonly role: 'user' | 'assistant';
  /** Unix milliseconds. */
  readonly createAt: number;
  readonly content: string;
  /** Pictures as data URLs, sent with the text, or drawn by the model. */
  readonly images: readonly string[];
  /** Tool calls of the model; the playground does not run them. */
  readonly tools: readonly ToolCall[];
  /** The model's reasoning before its answer. */
  readonly reasoning: string;
  /** Changes only for replies: loading → incomplete → complete or error, which are final. */
  readonly status: MessageStatus;
  /** The error message, for status `error`. */
  readonly error: string;
  /** Why it is not whole, for status `complete`; `stopped` by the reader; empty if it is whole. */
  readonly cut: Cut | 'stopped' | '';
  /** Part of the sample exchange of an empty conversation, which is never sent. */
  readonly isSample: boolean;
  readonly model: string;
  readonly meter: ReplyMeter;
}

/** A tool call, possibly still arriving. */
export interface ToolCall {
  /** Unique within the reply. */
  readonly key: string;
  readonly name: string;
  /** JSON, as the model writes it. */
  readonly input: string;
}

export type MessageStatus = 'loading' | 'incomplete' | 'complete' | 'error';

/** Measurements of a reply; undefined if unknown. */
export interface ReplyMeter {
  readonly requestId?: string;
  readonly firstTokenMs?: number;
  readonly totalMs?: number;
  readonly completionTokens?: number;
  readonly quotaUnits?: number;
}

/** Messages before this point are no longer sent. */
export interface Divider {
  readonly kind: 'divider';
  readonly id: string;
}

export type Item = Message | Divider;

const blank = {
  kind: 'message',
  content: '',
  images: [],
  tools: [],
  reasoning: '',
  status: 'complete',
  error: '',
  cut: '',
  isSample: false,
  model: '',
  meter: {},
} as const;

export const userMessage = (content: string, images: readonly string[]): Message => ({
  ...blank,
  id: newId(),
  role: 'user',
  createAt: Date.now(),
  content,
  images,
});

/** An empty reply that is waiting for its first text. */
export const pendingReply = (model: string): Message => ({
  ...blank,
  id: newId(),
  role: 'assistant',
  createAt: Date.now(),
  status: 'loading',
  model,
});

export const divider = (): Divider => ({ kind: 'divider', id: newId() });

/** The sample exchange shown in an empty conversation. */
export const sampleExchange = (greeting: string, answer: string): readonly Item[] => [
  { ...userMessage(greeting, []), isSample: true },
  { ...pendingReply(''), content: answer, status: 'complete', isSample: true },
];

export const isOver = (message: Message): boolean =>
  message.status === 'complete' || message.status === 'error';

const changed = (
  items: readonly Item[],
  id: string,
  change: (message: Message) => Partial<Message>,
): readonly Item[] =>
  items.map((item) => (item.kind === 'message' && item.id === id ? { ...item, ...change(item) } : item));

/** Appends text to a reply; a finished reply is not changed. */
export const appended = (
  items: readonly Item[],
  id: string,
  text: string,
  reasoning: string,
): readonly Item[] =>
  changed(items, id, (message) =>
    isOver(message)
      ? {}
      : { content: message.content + text, reasoning: message.reasoning + reasoning, status: 'incomplete' },
  );

/** Adds tool calls or pictures to a reply; a finished reply is not changed. */
export const extended = (
  items: readonly Item[],
  id: string,
  tools: readonly ToolCall[],
  images: readonly string[],
): readonly Item[] =>
  changed(items, id, (message) =>
    isOver(message)
      ? {}
      : {
          tools: tools.reduce(withTool, message.tools),
          images: [...message.images, ...images],
          status: 'incomplete',
        },
  );

const withTool = (calls: readonly ToolCall[], more: ToolCall): readonly ToolCall[] =>
  calls.some(({ key }) => key === more.key)
    ? calls.map((call) =>
        call.key === more.key
          ? { ...call, name: call.name || more.name, input: call.input + more.input }
          : call,
      )
    : [...calls, more];

export interface ReplyEnd {
  readonly status: 'complete' | 'error';
  readonly error?: string;
  readonly cut?: Message['cut'];
}

/** Ends a reply. Only the first end counts. */
export const ended = (items: readonly Item[], id: string, end: ReplyEnd): readonly Item[] =>
  changed(items, id, (message) => (isOver(message) ? {} : end));

/** Adds measurements to a reply, which may arrive after its end. */
export const metered = (items: readonly Item[], id: string, meter: ReplyMeter): readonly Item[] =>
  changed(items, id, (message) => ({ meter: { ...message.meter, ...meter } }));

/** The items before an item. */
export const before = (items: readonly Item[], id: string): readonly Item[] => {
  const at = items.findIndex((item) => item.id === id);
  return at === -1 ? items : items.slice(0, at);
};

export const without = (items: readonly Item[], id: string): readonly Item[] =>
  items.filter((item) => item.id !== id);

/** Adds a divider, so that earlier messages are no longer sent, unless there is nothing to divide. */
export const contextCleared = (items: readonly Item[]): readonly Item[] => {
  const last = items.at(-1);
  return last === undefined || last.kind === 'divider' ? items : [...items, divider()];
};

/** Ends replies that a reload interrupted: complete with the text so far, or as errors. */
export const settled = (items: readonly Item[], interrupted: string): readonly Item[] =>
  items.map((item) => {
    if (item.kind !== 'message' || isOver(item)) return item;
    return item.content === ''
      ? { ...item, status: 'error', error: interrupted }
      : { ...item, status: 'complete', cut: 'stopped' };
  });
