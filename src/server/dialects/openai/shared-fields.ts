import type { Extras } from '#core/chat/request.ts';
import { textOf, type Fields } from '#core/json/fields.ts';

/** Fields with the same name in both OpenAI formats. */
const SAME = [
  'metadata',
  'prompt_cache_key',
  'prompt_cache_options',
  'prompt_cache_retention',
  'safety_identifier',
  'service_tier',
] as const;

/** Chat fields that the Responses format also has, but the common form does not. */
export const sharedWithResponses = (extras: Extras): Fields => {
  const chat = extras['openai-chat'] ?? {};
  const verbosity = textOf(chat['verbosity']);
  const shared: Record<string, unknown> = verbosity === undefined ? {} : { text: { verbosity } };
  for (const name of SAME) if (chat[name] !== undefined && chat[name] !== null) shared[name] = chat[name];
  return shared;
};
