import type { ChatRequest } from '#core/chat/request.ts';
import type { Fields } from '#core/json/fields.ts';
import { writeReasoning, writeText, writeToolChoice } from '../request/write-request.ts';

/** Request fields that a response repeats unchanged. */
const SAME = [
  'max_tool_calls',
  'metadata',
  'prompt_cache_key',
  'prompt_cache_retention',
  'safety_identifier',
  'truncation',
] as const;

/**
 * The request fields that a response repeats, for callers that read them. The conversation, the instructions and the tools
 * are left out: they would make every answer as long as its request.
 */
export const echoOf = (asked: ChatRequest | undefined): Fields => {
  const own = asked?.extras['openai-responses'];
  if (asked === undefined || own === undefined) return {};
  const { toolChoice, responseFormat, reasoning } = asked;
  const fields: Record<string, unknown> = {
    max_output_tokens: asked.maxOutputTokens,
    parallel_tool_calls: asked.parallelToolCalls,
    temperature: asked.temperature,
    top_p: asked.topP,
    user: asked.endUser,
    tool_choice: own['tool_choice'] ?? (toolChoice && writeToolChoice(toolChoice)),
    text: writeText(responseFormat, own['text']),
    reasoning: writeReasoning(reasoning, own['reasoning']),
  };
  for (const name of SAME) fields[name] = own[name] ?? undefined;
  const echo: Record<string, unknown> = {};
  for (const name in fields) if (fields[name] !== undefined) echo[name] = fields[name];
  return echo;
};
