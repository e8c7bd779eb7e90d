import { geminiPath } from '../chats/gemini-path.ts';
import { isMessagesPath } from '../chats/messages-path.ts';
import type { Json } from '../wire.ts';
import { anthropicMessagesRules } from './anthropic-messages.ts';
import { geminiRules } from './gemini.ts';
import { openaiChatRules } from './openai-chat.ts';
import { openaiResponsesRules } from './openai-responses.ts';
import { firstBroken, type Rule } from './rule.ts';
import { sealRules } from './seals.ts';

/** The rules of the maker of each format. */
const makersRules: Readonly<Record<string, readonly Rule[]>> = {
  'openai-chat': openaiChatRules,
  'openai-responses': openaiResponsesRules,
  'anthropic-messages': anthropicMessagesRules,
  gemini: geminiRules,
};

/** The error with which a format's maker would refuse a request; undefined where it would accept it. */
export const refusedByMaker = (format: string, body: Json): string | undefined =>
  firstBroken(makersRules[format] ?? [], body);

const formatAt = (path: string): string | undefined => {
  if (isMessagesPath(path)) return 'anthropic-messages';
  if (/^(?:streamG|g)enerateContent$/.test(geminiPath(path)?.method ?? '')) return 'gemini';
  if (path.endsWith('/chat/completions')) return 'openai-chat';
  return path.endsWith('/responses') ? 'openai-responses' : undefined;
};

/** The same for the format at a path of the simulator, which also checks its own signatures. */
export const refusedAt = (path: string, body: Json): string | undefined => {
  const format = formatAt(path);
  if (format === undefined) return undefined;
  const inPath = geminiPath(path)?.model;
  const asked = inPath === undefined ? body : { ...body, model: inPath };
  return refusedByMaker(format, asked) ?? sealRules[format]?.broken(asked);
};
