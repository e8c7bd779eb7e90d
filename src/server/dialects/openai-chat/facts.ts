import { z } from 'zod';
import type { RequestFacts } from '../dialect.ts';
import {
  anyObject,
  choiceCount,
  flag,
  knob,
  modelName,
  parseBounds,
  smallCount,
  streamOptions,
  tokenCount,
  wholeNumber,
} from '../openai/bounds.ts';
import { estimateTokens } from '../openai/estimate-tokens.ts';
import { fieldsOf, listOf } from '../openai/fields.ts';
import { heldCalls } from '../openai/tool-calls.ts';

const bounds = z.object({
  model: modelName,
  messages: z.array(anyObject).min(1),
  stream: flag,
  stream_options: streamOptions,
  n: choiceCount,
  max_tokens: tokenCount,
  max_completion_tokens: tokenCount,
  temperature: knob,
  top_p: knob,
  top_k: knob,
  presence_penalty: knob,
  frequency_penalty: knob,
  top_logprobs: smallCount,
  seed: wholeNumber,
  thinking_budget: tokenCount,
});

/** Fields that are read by the model. */
const PROMPT_FIELDS = ['messages', 'tools', 'functions', 'response_format', 'prediction'] as const;

/** What routing, limits and the hold need of a chat request; every number a caller can send is bounded here. */
export const chatFacts = (body: Readonly<Record<string, unknown>>): RequestFacts => {
  const request = parseBounds(bounds, body);
  let inputTokensEstimate = 16;
  for (const field of PROMPT_FIELDS)
    if (body[field] !== undefined) inputTokensEstimate += estimateTokens(body[field]);
  // 0 means "not given" to some upstreams, so it must not make the hold small.
  const most = Math.max(request.max_tokens ?? 0, request.max_completion_tokens ?? 0);
  const searches = /-search-(?:preview|api)/.test(request.model) || offersSearch(body);
  const toolCalls = searches ? heldCalls([SEARCH]) : undefined;
  return {
    model: request.model,
    stream: request.stream ?? false,
    maxOutputTokens: most === 0 ? undefined : most,
    choices: request.n ?? 1,
    callFactor: request.n ?? 1,
    inputTokensEstimate,
    wantsStreamUsage: request.stream_options?.include_usage ?? false,
    ...(toolCalls !== undefined && { toolCalls }),
  };
};

/** The dearer of its names: which it is to be is the upstream's to say. */
const SEARCH = 'web_search_preview';

const offersSearch = (body: Readonly<Record<string, unknown>>): boolean =>
  (body['web_search_options'] ?? null) !== null ||
  listOf(body['plugins']).some((plugin) => fieldsOf(plugin)['id'] === 'web') ||
  listOf(body['tools']).some((tool) => fieldsOf(tool)['type'] === 'openrouter:web_search');
