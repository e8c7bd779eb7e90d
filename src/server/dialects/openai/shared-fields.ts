import type { Extras } from '#core/chat/request.ts';
import { textOf, type Fields } from './fields.ts';

/** What both formats of OpenAI call the same. */
const SAME = [
  'metadata',
  'prompt_cache_key',
  'prompt_cache_options',
  'prompt_cache_retention',
  'safety_identifier',
  'service_tier',
] as const;

/** What a chat caller says that the Responses format has as well, and that our own words have no place for. */
export const sharedWithResponses = (extras: Extras): Fields => {
  const chat = extras['openai-chat'] ?? {};
  const verbosity = textOf(chat['verbosity']);
  const shared: Record<string, unknown> = verbosity === undefined ? {} : { text: { verbosity } };
  for (const name of SAME) if (chat[name] !== undefined && chat[name] !== null) shared[name] = chat[name];
  return shared;
};
