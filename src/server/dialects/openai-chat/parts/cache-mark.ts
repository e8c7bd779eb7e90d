import type { Extras } from '#core/chat/request.ts';
import { isFields, type Fields } from '#core/json/fields.ts';

/**
 * Extra fields of a part or tool, for this format. A cache mark (`cache_control`, which routers to Claude accept in
 * chats: openrouter.ai/docs, prompt caching) is stored for Anthropic's format as well, OpenAI's own for Responses.
 */
export const ownExtras = (others: Fields | undefined): { readonly extras?: Extras } => {
  if (others === undefined) return {};
  const { cache_control: mark, prompt_cache_breakpoint: breakpoint } = others;
  return {
    extras: {
      'openai-chat': others,
      ...(isFields(mark) && { 'anthropic-messages': { cache_control: mark } }),
      ...(isFields(breakpoint) && { 'openai-responses': { prompt_cache_breakpoint: breakpoint } }),
    },
  };
};
