import { geminiPath } from '../gemini-path.ts';
import { isMessagesPath } from '../messages-path.ts';
import type { Json } from '../wire.ts';
import { anthropicMessagesRules } from './anthropic-messages.ts';
import { geminiRules } from './gemini.ts';
import { openaiChatRules } from './openai-chat.ts';
import { openaiResponsesRules } from './openai-responses.ts';
import { firstBroken, type Rule } from './rule.ts';

/** The rules of the maker of each format. */
const makersRules: Readonly<Record<string, readonly Rule[]>> = {
  'openai-chat': openaiChatRules,
  'openai-responses': openaiResponsesRules,
  'anthropic-messages': anthropicMessagesRules,
  gemini: geminiRules,
};

/** What the maker of a format would refuse a request with; undefined where it would take it. */
export const refusedByMaker = (format: string, body: Json): string | undefined =>
  firstBroken(makersRules[format] ?? [], body);

const formatAt = (path: string): string | undefined => {
  if (isMessagesPath(path)) return 'anthropic-messages';
  if (/^(?:streamG|g)enerateContent$/.test(geminiPath(path)?.method ?? '')) return 'gemini';
  if (path.endsWith('/chat/completions')) return 'openai-chat';
  return path.endsWith('/responses') ? 'openai-responses' : undefined;
};

/** The same for whatever is spoken at a path of the simulator. */
export const refusedAt = (path: string, body: Json): string | undefined => {
  const format = formatAt(path);
  return format === undefined ? undefined : refusedByMaker(format, body);
};
