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
  /** Tools the model asks to be called; nobody calls them here. */
  readonly tools: readonly ToolCall[];
  /** What a reasoning model thought before it answered. */
  readonly reasoning: string;
  /** Only a reply changes it: loading → incomplete → complete or error, and never again after those two. */
  readonly status: MessageStatus;
  /** What went wrong, of status `error`. */
  readonly error: string;
  /** The reader stopped it before its end. */
  readonly isStopped: boolean;
  readonly model: string;
  readonly meter: ReplyMeter;
}

/** A call of a tool as far as it has arrived. */
export interface ToolCall {
  /** Tells it from the reply's other calls. */
  readonly key: string;
  readonly name: string;
  /** JSON, as the model writes it. */
  readonly input: string;
}

export type MessageStatus = 'loading' | 'incomplete' | 'complete' | 'error';

/** What is known of how a reply came about; undefined is not known. */
export interface ReplyMeter {
  readonly requestId?: string;
  readonly firstTokenMs?: number;
  readonly totalMs?: number;
  readonly completionTokens?: number;
  readonly quotaUnits?: number;
}

/** From here on nothing earlier is sent any more. */
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
  isStopped: false,
  model: '',
  meter: {},
} as const;

export const userMessage = (content: string, images: readonly string[]): Message => ({
  ...blank,
  id: crypto.randomUUID(),
  role: 'user',
  createAt: Date.now(),
  content,
  images,
});

/** An empty reply that waits for its first word. */
export const pendingReply = (model: string): Message => ({
  ...blank,
  id: crypto.randomUUID(),
  role: 'assistant',
  createAt: Date.now(),
  status: 'loading',
  model,
});

export const divider = (): Divider => ({ kind: 'divider', id: crypto.randomUUID() });

/** The exchange an empty conversation starts with. */
export const sampleExchange = (greeting: string, answer: string): readonly Item[] => [
  userMessage(greeting, []),
  { ...pendingReply(''), content: answer, status: 'complete' },
];

export const isOver = (message: Message): boolean =>
  message.status === 'complete' || message.status === 'error';

const changed = (
  items: readonly Item[],
  id: string,
  change: (message: Message) => Partial<Message>,
): readonly Item[] =>
  items.map((item) => (item.kind === 'message' && item.id === id ? { ...item, ...change(item) } : item));

/** Text that arrived for a reply; one that is over stays as it is. */
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

/** More of a reply's tool calls, or pictures it drew; one that is over stays as it is. */
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
  readonly isStopped?: boolean;
}

/** The end of a reply; the first end counts. */
export const ended = (items: readonly Item[], id: string, end: ReplyEnd): readonly Item[] =>
  changed(items, id, (message) => (isOver(message) ? {} : end));

/** What was measured of a reply, added to what is known; this may come after its end. */
export const metered = (items: readonly Item[], id: string, meter: ReplyMeter): readonly Item[] =>
  changed(items, id, (message) => ({ meter: { ...message.meter, ...meter } }));

/** What comes before an item. */
export const before = (items: readonly Item[], id: string): readonly Item[] => {
  const at = items.findIndex((item) => item.id === id);
  return at === -1 ? items : items.slice(0, at);
};

export const without = (items: readonly Item[], id: string): readonly Item[] =>
  items.filter((item) => item.id !== id);

/** Earlier messages are no longer sent: a divider, unless there is nothing to divide. */
export const contextCleared = (items: readonly Item[]): readonly Item[] => {
  const last = items.at(-1);
  return last === undefined || last.kind === 'divider' ? items : [...items, divider()];
};

/** Replies that a reload cut off are over: with what had arrived, or as errors. */
export const settled = (items: readonly Item[], interrupted: string): readonly Item[] =>
  items.map((item) => {
    if (item.kind !== 'message' || isOver(item)) return item;
    return item.content === ''
      ? { ...item, status: 'error', error: interrupted }
      : { ...item, status: 'complete', isStopped: true };
  });
