import type { ChatRequest } from '#core/chat/request.ts';
import type { Fields } from '../openai/fields.ts';
import { writeReasoning, writeText, writeToolChoice } from './write-request.ts';

/** Fields a response repeats from its request as they came. */
const SAME = [
  'max_tool_calls',
  'metadata',
  'prompt_cache_key',
  'prompt_cache_retention',
  'safety_identifier',
  'truncation',
] as const;

/**
 * What a response says of its request, for callers who know by it what they had asked for. The conversation, its
 * instructions and the tools are not said again: with each of them every answer would be as long as its question.
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
