import type { Message } from '../talk/conversation.ts';

/** A request before it is written in a format. */
export interface Draft {
  readonly model: string;
  readonly group: string;
  readonly system: string;
  readonly messages: readonly Message[];
  /** 0 is not sent. */
  readonly maxTokens: number;
  /** Undefined is not sent. */
  readonly temperature: number | undefined;
}

type Body = Readonly<Record<string, unknown>>;

/** Anthropic's format requires an output limit. */
const MESSAGES_MAX_TOKENS = 4096;

/** Kind and base64 bytes of a data URL. */
const pictureOf = (url: string): { readonly kind: string; readonly data: string } => {
  const [, kind = 'image/png', data = ''] = /^data:([^;,]+)(?:;[^,]*)?,(.*)/s.exec(url) ?? [];
  return { kind, data };
};

const texts = <Part>({ content }: Message, part: (text: string) => Part): Part[] =>
  content === '' ? [] : [part(content)];

/** Source: OpenAI, Responses API. */
export const responsesBody = ({ model, group, system, messages, maxTokens, temperature }: Draft): Body => ({
  model,
  group,
  ...(system === '' ? {} : { instructions: system }),
  input: messages.map((message) => ({
    role: message.role,
    content: [
      ...texts(message, (text) => ({
        type: message.role === 'user' ? 'input_text' : 'output_text',
        text,
      })),
      ...message.images.map((url) => ({ type: 'input_image', image_url: url })),
    ],
  })),
  stream: true,
  ...(maxTokens > 0 ? { max_output_tokens: maxTokens } : {}),
  ...(temperature === undefined ? {} : { temperature }),
});

/** Source: Anthropic, Messages API. */
export const messagesBody = ({ model, group, system, messages, maxTokens, temperature }: Draft): Body => ({
  model,
  group,
  max_tokens: maxTokens > 0 ? maxTokens : MESSAGES_MAX_TOKENS,
  ...(system === '' ? {} : { system }),
  messages: messages.map((message) => ({
    role: message.role,
    content: [
      ...message.images.map((url) => {
        const { kind, data } = pictureOf(url);
        return { type: 'image', source: { type: 'base64', media_type: kind, data } };
      }),
      ...texts(message, (text) => ({ type: 'text', text })),
    ],
  })),
  stream: true,
  ...(temperature === undefined ? {} : { temperature }),
});

/** Source: Gemini API, streamGenerateContent. The model is in the path. */
export const geminiBody = ({ group, system, messages, maxTokens, temperature }: Draft): Body => {
  const bounds = {
    ...(maxTokens > 0 ? { maxOutputTokens: maxTokens } : {}),
    ...(temperature === undefined ? {} : { temperature }),
  };
  return {
    group,
    ...(system === '' ? {} : { systemInstruction: { parts: [{ text: system }] } }),
    contents: messages.map((message) => ({
      role: message.role === 'user' ? 'user' : 'model',
      parts: [
        ...message.images.map((url) => {
          const { kind, data } = pictureOf(url);
          return { inlineData: { mimeType: kind, data } };
        }),
        ...texts(message, (text) => ({ text })),
      ],
    })),
    ...(Object.keys(bounds).length === 0 ? {} : { generationConfig: bounds }),
  };
};
