import type { Extras } from '#core/chat/request.ts';
import { isFields, type Fields } from '../openai/fields.ts';

/**
 * What stands beside a part or a tool, for this format; a mark that the prompt up to here is worth a cache
 * (`cache_control`, as routers to Claude take it in chats: openrouter.ai/docs, prompt caching) for Anthropic's as well.
 */
export const besideIt = (others: Fields | undefined): { readonly extras?: Extras } => {
  if (others === undefined) return {};
  const { cache_control: mark } = others;
  return {
    extras: {
      'openai-chat': others,
      ...(isFields(mark) && { 'anthropic-messages': { cache_control: mark } }),
    },
  };
};
