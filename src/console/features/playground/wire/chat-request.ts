import { isFields, parsedObject } from '#contract/json-text.ts';
import type { ChatFormat } from './chat-format.ts';
import type { Item, Message } from '../talk/conversation.ts';
import { messagesBody, type Draft, geminiBody, responsesBody } from './other-bodies.ts';

/** The settings of the panel. Source: specification, playground settings. */
export interface ChatSettings {
  readonly format: ChatFormat;
  readonly group: string;
  readonly model: string;
  readonly temperature: number;
  /** If false, no temperature is sent: some models refuse any. */
  readonly sendsTemperature: boolean;
  /** 0 is not sent: the model decides. */
  readonly maxTokens: number;
  readonly systemPrompt: string;
  /** JSON of an object that is merged into the body; empty for none. */
  readonly extra: string;
}

/** A request of the playground, ready to send. */
export interface ChatRequest {
  readonly format: ChatFormat;
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
}

type Part =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image_url'; readonly image_url: { readonly url: string } };

const contentOf = ({ content, images }: Message): string | readonly Part[] =>
  images.length === 0
    ? content
    : [
        ...(content === '' ? [] : [{ type: 'text' as const, text: content }]),
        ...images.map((url) => ({ type: 'image_url' as const, image_url: { url } })),
      ];

/** The messages after the last divider, without empty ones and samples. */
const context = (items: readonly Item[]): readonly Message[] =>
  items
    .slice(items.findLastIndex((item) => item.kind === 'divider') + 1)
    .filter((item) => item.kind === 'message')
    .filter(({ isSample }) => !isSample)
    // Pictures a model drew are not sent back, because most formats cannot carry them.
    .map((message) => (message.role === 'user' ? message : { ...message, images: [] }))
    .filter((message) => message.content !== '' || message.images.length > 0);

const chatBody = ({
  model,
  group,
  system,
  messages,
  maxTokens,
  temperature,
}: Draft): ChatRequest['body'] => ({
  model,
  group,
  messages: [
    ...(system === '' ? [] : [{ role: 'system' as const, content: system }]),
    ...messages.map((message) => ({ role: message.role, content: contentOf(message) })),
  ],
  stream: true,
  stream_options: { include_usage: true },
  ...(maxTokens > 0 ? { max_tokens: maxTokens } : {}),
  ...(temperature === undefined ? {} : { temperature }),
});

const writers: Readonly<Record<ChatFormat, (draft: Draft) => Omit<ChatRequest, 'format'>>> = {
  'openai-chat': (draft) => ({ path: '/pg/chat/completions', body: chatBody(draft) }),
  'openai-responses': (draft) => ({ path: '/pg/responses', body: responsesBody(draft) }),
  'anthropic-messages': (draft) => ({ path: '/pg/messages', body: messagesBody(draft) }),
  gemini: (draft) => ({
    path: `/pg/models/${encodeURIComponent(draft.model)}:streamGenerateContent?alt=sse`,
    body: geminiBody(draft),
  }),
};

type Fields = Readonly<Record<string, unknown>>;

/** The object that is to be merged into the body; undefined where the text is none. */
export const extraOf = (text: string): Fields | undefined => (text.trim() === '' ? {} : parsedObject(text));

/** Merges objects; otherwise the second value wins. */
const merged = (body: Fields, extra: Fields): Fields => {
  const both = Object.entries(extra).map(([name, value]): [string, unknown] => {
    const before = body[name];
    return [name, isFields(before) && isFields(value) ? merged(before, value) : value];
  });
  return { ...body, ...Object.fromEntries(both) };
};

/** The request body of the playground: the system prompt, if any, then the messages in context. */
export const chatRequest = (settings: ChatSettings, items: readonly Item[]): ChatRequest => {
  const { format, model, group } = settings;
  const draft: Draft = {
    model,
    group,
    temperature: settings.sendsTemperature ? settings.temperature : undefined,
    system: settings.systemPrompt.trim(),
    maxTokens: Math.trunc(settings.maxTokens),
    messages: context(items),
  };
  const { path, body } = writers[format](draft);
  return { format, path, body: merged(body, extraOf(settings.extra) ?? {}) };
};
