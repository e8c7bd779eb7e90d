/** The formats a reply can be asked for in, and what each is called by those who know it. */
export const chatFormats = {
  'openai-chat': 'OpenAI Chat Completions',
  'openai-responses': 'OpenAI Responses',
  'anthropic-messages': 'Anthropic Messages',
  gemini: 'Gemini',
} as const;

export type ChatFormat = keyof typeof chatFormats;

/** Source: specification, playground call. */
export const DEFAULT_FORMAT: ChatFormat = 'openai-chat';

export const isChatFormat = (name: string): name is ChatFormat => Object.hasOwn(chatFormats, name);
