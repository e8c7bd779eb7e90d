import type { ChatFormat } from './chat-format.ts';
import type { Item, Message } from './conversation.ts';
import { messagesBody, type Draft, geminiBody, responsesBody } from './other-bodies.ts';

/** What the panel says. Source: specification, playground settings. */
export interface ChatSettings {
  readonly format: ChatFormat;
  readonly group: string;
  readonly model: string;
  readonly temperature: number;
  /** Off, the temperature is left to the model: some refuse any. */
  readonly sendsTemperature: boolean;
  /** 0 leaves it to the model: it is not sent. */
  readonly maxTokens: number;
  readonly systemPrompt: string;
}

/** One call of the playground, as it goes out. */
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

/** The messages after the last divider that say something. */
const context = (items: readonly Item[]): readonly Message[] =>
  items
    .slice(items.findLastIndex((item) => item.kind === 'divider') + 1)
    .filter((item) => item.kind === 'message')
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

/** A call of the playground: the system prompt first where there is one, then what is in context. */
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
  return { format, ...writers[format](draft) };
};
