import type { Item, Message } from './conversation.ts';

/** What the panel says. Source: specification, playground settings. */
export interface ChatSettings {
  readonly group: string;
  readonly model: string;
  /** 0 leaves it to the model: it is not sent. */
  readonly temperature: number;
  /** 0 leaves it to the model: it is not sent. */
  readonly maxTokens: number;
  readonly systemPrompt: string;
}

type Part =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image_url'; readonly image_url: { readonly url: string } };

interface SentMessage {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string | readonly Part[];
}

export interface ChatRequest {
  readonly model: string;
  readonly group: string;
  readonly messages: readonly SentMessage[];
  readonly stream: true;
  readonly stream_options: { readonly include_usage: true };
  readonly max_tokens?: number;
  readonly temperature?: number;
}

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

/** The body of a playground call: the system prompt first where there is one, then what is in context. */
export const chatRequest = (settings: ChatSettings, items: readonly Item[]): ChatRequest => {
  const system = settings.systemPrompt.trim();
  const maxTokens = Math.trunc(settings.maxTokens);
  return {
    model: settings.model,
    group: settings.group,
    messages: [
      ...(system === '' ? [] : [{ role: 'system' as const, content: system }]),
      ...context(items).map((message) => ({ role: message.role, content: contentOf(message) })),
    ],
    stream: true,
    stream_options: { include_usage: true },
    ...(maxTokens > 0 ? { max_tokens: maxTokens } : {}),
    ...(settings.temperature > 0 ? { temperature: settings.temperature } : {}),
  };
};
