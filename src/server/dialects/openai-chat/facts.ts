import type { Counting } from '../openai/usage/estimate-tokens.ts';
import { z } from 'zod';
import type { ToolCalls } from '#core/chat/usage.ts';
import { DEFAULT_OUTPUT_TOKENS } from '#core/quota/estimate.ts';
import type { RequestFacts } from '../dialect.ts';
import { askedNumbers } from '../openai/usage/asked-numbers.ts';
import {
  choiceCount,
  flag,
  knob,
  modelName,
  parseBounds,
  smallCount,
  someObjects,
  streamOptions,
  tokenCount,
  wholeNumber,
} from '../openai/bounds.ts';
import { fieldsOf, listOf } from '#core/json/fields.ts';
import { type AskedLogprobs, loggedTokensMost } from '../openai/usage/logprob-size.ts';
import { wantsLogprobs } from './only-in.ts';
import { wantsSpeech } from './speech.ts';
import { promptSize } from '../openai/prompt-size.ts';
import { heldCalls } from '../openai/tools/tool-calls.ts';

const bounds = z.object({
  model: modelName,
  messages: someObjects,
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

/** Fields the model reads. */
const PROMPT_FIELDS = ['messages', 'tools', 'functions', 'response_format', 'prediction'] as const;

/** What routing, limits and the hold need from a chat request. Every number that a caller sends is bounded here. */
export const chatFacts = (body: Readonly<Record<string, unknown>>, counting?: Counting): RequestFacts => {
  const request = parseBounds(bounds, body);
  const size = promptSize(body, PROMPT_FIELDS, counting);
  // Some upstreams read 0 as no limit, so it must not make the hold small.
  const most = Math.max(request.max_tokens ?? 0, request.max_completion_tokens ?? 0);
  const { answers, tokens } = askedNumbers(body);
  const length = longest(most, tokens, request.thinking_budget ?? 0);
  const stream = request.stream ?? false;
  const plain = {
    model: request.model,
    stream,
    maxOutputTokens: length,
    choices: request.n ?? 1,
    paidAnswers: answers,
    callFactor: answers,
    wantsStreamUsage: request.stream_options?.include_usage ?? false,
    ...size,
  };
  const ofModel = toolsOf(request.model);
  const isLogged = wantsLogprobs(body) || tellsPrompt(body);
  const isLimitForeign = most === 0 && length !== undefined;
  if (ofModel === undefined && !isLogged && !isLimitForeign && !asksMore(body)) return plain;
  return {
    ...plain,
    ...(isLimitForeign && { isLimitForeign }),
    ...(wantsSpeech(body) && { speaks: true }),
    ...(isLogged &&
      loggedTokensMost({
        ...loggedIn(body),
        stream,
        answers,
        maxTokens: most === 0 ? undefined : most,
        promptTokens: tellsPrompt(body) ? size.inputTokensEstimate : 0,
      })),
    ...(ofModel === undefined ? heldCalls(offersSearch(body) ? [SEARCH] : []) : { toolCalls: ofModel }),
  };
};

/** Whether there is a field by which an answer is spoken or searched for. */
const asksMore = ({
  modalities,
  web_search_options: search,
  plugins,
  tools,
}: Readonly<Record<string, unknown>>): boolean =>
  modalities !== undefined || search !== undefined || plugins !== undefined || tools !== undefined;

/** Compatible upstreams take the number of alternatives as the request for them, and report the prompt's tokens. */
const loggedIn = (body: Readonly<Record<string, unknown>>): Pick<AskedLogprobs, 'param' | 'top'> => {
  const { logprobs, top_logprobs: most, prompt_logprobs: ofPrompt } = body;
  const tops = [most, logprobs, ofPrompt].filter((top) => typeof top === 'number');
  return { param: 'top_logprobs', top: Math.max(0, ...tops) };
};

const tellsPrompt = ({ prompt_logprobs: most }: Readonly<Record<string, unknown>>): boolean =>
  typeof most === 'number' && most > 0;

/** The maximum output tokens of one answer. Some upstreams count reasoning against a separate budget. */
const longest = (limit: number, inOtherWords: number, reasoning: number): number | undefined => {
  const most = Math.max(limit === 0 ? DEFAULT_OUTPUT_TOKENS : limit, inOtherWords) + reasoning;
  return limit === 0 && most === DEFAULT_OUTPUT_TOKENS ? undefined : most;
};

/** The more expensive of the two tools, because the upstream decides which one applies. */
const SEARCH = 'web_search_preview';

/** Models that search once for every answer. */
export const toolsOf = (model: string): ToolCalls | undefined =>
  /-search-(?:preview|api)/.test(model) ? { [SEARCH]: 1 } : undefined;

const offersSearch = (body: Readonly<Record<string, unknown>>): boolean =>
  (body['web_search_options'] ?? null) !== null ||
  listOf(body['plugins']).some((plugin) => fieldsOf(plugin)['id'] === 'web') ||
  listOf(body['tools']).some((tool) => fieldsOf(tool)['type'] === 'openrouter:web_search');
