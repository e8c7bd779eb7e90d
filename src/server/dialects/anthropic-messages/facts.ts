import type { Counting } from '../openai/usage/estimate-tokens.ts';
import { z } from 'zod';
import type { RequestFacts } from '../dialect.ts';
import {
  flag,
  innerFields,
  knob,
  modelName,
  parseBounds,
  someObjects,
  tokenCount,
} from '../openai/bounds.ts';
import { KEPT_CONVERSATION_TOKENS, promptSize } from '../openai/prompt-size.ts';
import { type Fields, fieldsOf, listOf, textOf } from '#core/json/fields.ts';
import { callCount, heldCalls } from '../openai/tools/tool-calls.ts';

const bounds = z.object({
  model: modelName,
  messages: someObjects,
  stream: flag,
  max_tokens: tokenCount,
  temperature: knob,
  top_p: knob,
  top_k: knob,
  thinking: innerFields({ budget_tokens: tokenCount }),
});

/** Fields the model reads. */
const PROMPT_FIELDS = ['system', 'messages', 'tools', 'output_config', 'output_format'] as const;

/**
 * The facts of a Messages request for routing, limits and the hold; bounds every number a caller can send. The format
 * requires `max_tokens`, but callers may leave it out: then the operator's default applies.
 */
export const messagesFacts = (body: Readonly<Record<string, unknown>>, counting?: Counting): RequestFacts => {
  const request = parseBounds(bounds, body);
  const size = promptSize(body, PROMPT_FIELDS, counting);
  const tools = listOf(body['tools']).map(fieldsOf);
  let inputTokensEstimate = size.inputTokensEstimate + addedTokens(tools, body['messages']);
  const offered = (beginning: string): Fields | undefined =>
    tools.find(({ type }) => textOf(type)?.startsWith(beginning));
  const fetches = offered('web_fetch_') !== undefined;
  if (fetches) inputTokensEstimate += PAGES_TOKENS;
  const continues = (fieldsOf(body['thread'])['previous_message_id'] ?? null) !== null;
  if (continues) inputTokensEstimate += KEPT_CONVERSATION_TOKENS;
  const times = isReadTwice(body, inputTokensEstimate) ? 2 : 1;
  const most = request.max_tokens ?? 0;
  const search = offered('web_search_');
  const { promptTokensMost, ...sent } = size;
  return {
    model: request.model,
    stream: request.stream ?? false,
    maxOutputTokens: most === 0 ? undefined : most,
    choices: 1,
    ...sent,
    inputTokensEstimate: inputTokensEstimate * times,
    ...(continues
      ? { continues }
      : promptTokensMost !== undefined && { promptTokensMost: promptTokensMost * times }),
    // Every stream of this format ends with usage.
    wantsStreamUsage: true,
    ...((fetches || listOf(body['mcp_servers']).length > 0) && {
      mayFillContext: size.mayFillContext ?? 'tools',
    }),
    ...(search && heldCalls(['web_search'], callCount(search['max_uses']))),
  };
};

/** Pages that the model is given, which become part of its prompt: as for a document. */
const PAGES_TOKENS = 10_000;

/**
 * What Anthropic adds to every prompt with tools, and to its own (platform.claude.com, Tool use and Computer use; the
 * computer as recorded).
 */
const TOOLS_TOKENS = 530;
const OWN_TOOLS: readonly (readonly [string, number])[] = [
  ['computer_', 1400],
  ['text_editor_', 700],
  ['bash_', 245],
];
/** And to one with citations, as recorded. */
const CITATIONS_TOKENS = 600;

const addedTokens = (tools: readonly Fields[], messages: unknown): number => {
  const cites = listOf(messages).some((message) =>
    listOf(fieldsOf(message)['content']).some(
      (part) => fieldsOf(fieldsOf(part)['citations'])['enabled'] === true,
    ),
  );
  let tokens = cites ? CITATIONS_TOKENS : 0;
  if (tools.length > 0) tokens += TOOLS_TOKENS;
  for (const { type } of tools)
    tokens += OWN_TOOLS.find(([beginning]) => textOf(type)?.startsWith(beginning))?.[1] ?? 0;
  return tokens;
};

/** The smallest trigger for compaction: no shorter conversation is summarised. */
const LEAST_COMPACTED_TOKENS = 50_000;

/**
 * A summary of a long conversation reads it once more, and so does an adviser: both are billed in addition to the
 * answer.
 */
const isReadTwice = ({ compaction, context_management: managed, tools }: Fields, tokens: number): boolean => {
  const isOf = (list: unknown, beginning: string): boolean =>
    listOf(list).some((item) => textOf(fieldsOf(item)['type'])?.startsWith(beginning));
  const isCompacted = (compaction ?? null) !== null || isOf(fieldsOf(managed)['edits'], 'compact_');
  return (isCompacted && tokens >= LEAST_COMPACTED_TOKENS) || isOf(tools, 'advisor_');
};
