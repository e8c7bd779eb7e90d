import type { Counting } from '../openai/usage/estimate-tokens.ts';
import { AppError } from '#core/error.ts';
import { z } from 'zod';
import type { RequestFacts } from '../dialect.ts';
import { flag, knob, modelName, parseBounds, quick, smallCount, tokenCount } from '../openai/bounds.ts';
import { fieldsOf, listOf, textOf } from '#core/json/fields.ts';
import { loggedTokensMost } from '../openai/usage/logprob-size.ts';
import { KEPT_CONVERSATION_TOKENS, promptSize } from '../openai/prompt-size.ts';
import { heldCalls } from '../openai/tools/tool-calls.ts';
import { isRead, referencesIn } from './references.ts';
import { paidToolOf } from './tool-calls.ts';

const bounds = z.object({
  model: modelName,
  // Absent where the upstream stores the conversation.
  input: quick(
    z.union([z.string(), z.array(z.unknown())]).nullish(),
    (value) => typeof value === 'string' || Array.isArray(value),
  ),
  stream: flag,
  max_output_tokens: tokenCount,
  max_tool_calls: smallCount,
  temperature: knob,
  top_p: knob,
  top_logprobs: smallCount,
});

/** Fields that the model reads as input. */
const PROMPT_FIELDS = ['input', 'instructions', 'tools', 'text', 'prompt'] as const;
/** What a prompt that the upstream keeps under an id usually has: words, and whatever else was put into it. */
const KEPT_PROMPT_TOKENS = 10_000;

/** The facts of a request, where it is known how many tokens the conversation has that it continues. */
export const withKeptTokens = (facts: RequestFacts, tokens: number): RequestFacts => ({
  ...facts,
  continues: false,
  inputTokensEstimate: facts.inputTokensEstimate - KEPT_CONVERSATION_TOKENS + tokens,
  knownTokens: (facts.knownTokens ?? 0) + tokens,
});

/** What routing, limits and the hold need from a Responses request. Every number that a caller sends is bounded here. */
export const responsesFacts = (
  body: Readonly<Record<string, unknown>>,
  counting?: Counting,
): RequestFacts => {
  const request = parseBounds(bounds, body);
  const { promptTokensMost, ...sent } = promptSize(body, PROMPT_FIELDS, counting);
  const namesPrompt = (textOf(fieldsOf(body['prompt'])['id']) ?? '') !== '';
  const inputTokensEstimate = sent.inputTokensEstimate + (namesPrompt ? KEPT_PROMPT_TOKENS : 0);
  const size = { ...sent, inputTokensEstimate };
  const isKept = referencesIn(body).some(isRead);
  const most = request.max_output_tokens ?? 0;
  const isLogged = listOf(body['include']).includes('message.output_text.logprobs');
  const logged = loggedTokensMost({
    param: 'top_logprobs',
    stream: request.stream ?? false,
    top: isLogged ? (request.top_logprobs ?? 0) : (request.top_logprobs ?? undefined),
    answers: 1,
    maxTokens: most === 0 ? undefined : most,
  });
  const asksServers = listOf(body['tools']).some((tool) => fieldsOf(tool)['type'] === 'mcp');
  const paidTools = listOf(body['tools']).flatMap((tool) => paidToolOf(tool) ?? []);
  return {
    model: request.model,
    stream: request.stream ?? false,
    // Some upstreams read 0 as no limit, so it must not make the hold small.
    maxOutputTokens: most === 0 ? undefined : most,
    choices: 1,
    ...size,
    ...(isKept
      ? { inputTokensEstimate: size.inputTokensEstimate + KEPT_CONVERSATION_TOKENS, continues: true }
      : promptTokensMost !== undefined && { promptTokensMost }),
    ...((asksServers || namesPrompt) && { mayFillContext: size.mayFillContext ?? 'tools' }),
    // The last event of a stream always reports usage.
    wantsStreamUsage: true,
    ...logged,
    ...heldCalls(paidTools, request.max_tool_calls),
    ...drawingOf(body, request.max_tool_calls),
  };
};

/** The default model of the tool `image_generation`. Source: API reference of Responses, November 2026. */
const DEFAULT_IMAGE_MODEL = 'gpt-image-2.6-sunburst';

const drawingOf = (
  body: Readonly<Record<string, unknown>>,
  most: number | null | undefined,
): Pick<RequestFacts, 'draws'> | undefined => {
  const [tool, second] = listOf(body['tools'])
    .map(fieldsOf)
    .filter(({ type }) => type === 'image_generation');
  if (tool === undefined) return undefined;
  // The upstream does not report which of the two drew an image, so its price is unknown.
  if (second !== undefined)
    throw new AppError('invalid_request', "'tools': image_generation is listed twice", { param: 'tools' });
  const { model, size, quality, partial_images: previews } = tool;
  return {
    draws: {
      model: textOf(model) ?? DEFAULT_IMAGE_MODEL,
      size: textOf(size),
      quality: textOf(quality),
      previews,
      most: most ?? undefined,
    },
  };
};
