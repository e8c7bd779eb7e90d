import { z } from 'zod';
import { DEFAULT_OUTPUT_TOKENS } from '#core/quota/estimate.ts';
import { parsedFields } from '#core/json/fields.ts';
import { cutCompletions } from '../ends/cut-words.ts';
import type { CutStream } from '../ends/cut-stream.ts';
import type { RequestFacts, Wire } from '../dialect.ts';
import type { Frame } from '../frame.ts';
import { askForUsage } from '../openai/usage/ask-for-usage.ts';
import { askedNumbers } from '../openai/usage/asked-numbers.ts';
import {
  choiceCount,
  flag,
  knob,
  modelName,
  parseBounds,
  parseField,
  smallCount,
  streamOptions,
  tokenCount,
  wholeNumber,
} from '../openai/bounds.ts';
import { readUpstreamError } from '../openai/error.ts';
import { type Counting, estimateTokens } from '../openai/usage/estimate-tokens.ts';
import { numberedTokens, promptSize } from '../openai/prompt-size.ts';
import { loggedTokensMost } from '../openai/usage/logprob-size.ts';
import { writeUsage } from '../openai/usage/usage.ts';
import { limitNumbers } from '../openai/limit-output.ts';
import { tapOf, tapParsed } from '../openai/tap.ts';
import { writeError, writeStreamError } from '../openai/write-error.ts';
import { writeFrame } from '../sse.ts';

const MAX_PROMPTS = 2048;

const bounds = z.object({
  model: modelName,
  prompt: z.union([z.string(), z.array(z.union([z.string(), z.int(), z.array(z.int())]))]).nullish(),
  suffix: z.string().nullish(),
  stream: flag,
  stream_options: streamOptions,
  n: choiceCount,
  best_of: choiceCount,
  max_tokens: tokenCount,
  temperature: knob,
  top_p: knob,
  presence_penalty: knob,
  frequency_penalty: knob,
  logprobs: smallCount,
  seed: wholeNumber,
});

const promptCount = z.int().max(MAX_PROMPTS, `at most ${MAX_PROMPTS} prompts`);

const facts = (body: Readonly<Record<string, unknown>>, counting?: Counting): RequestFacts => {
  const request = parseBounds(bounds, body);
  const { prompt } = request;
  // A list of texts or of token lists is several prompts, each answered on its own; a list of numbers is one.
  const isOne = !Array.isArray(prompt) || prompt.every((each) => typeof each === 'number');
  const prompts = isOne ? 1 : prompt.length;
  parseField(promptCount, 'prompt', prompts);
  const { answers, tokens } = askedNumbers(body);
  const paidAnswers = prompts * answers;
  const logged = loggedTokensMost({
    param: 'logprobs',
    stream: request.stream ?? false,
    top: request.logprobs ?? undefined,
    answers: paidAnswers,
    maxTokens: request.max_tokens,
    promptTokens: body['echo'] === true ? estimateTokens(prompt ?? '') : 0,
  });
  const limit = request.max_tokens === 0 ? undefined : (request.max_tokens ?? undefined);
  return {
    model: request.model,
    stream: request.stream ?? false,
    // OpenAI answers with 16 tokens when the caller names no number; others with as many as they like.
    maxOutputTokens: tokens === 0 ? limit : Math.max(limit ?? DEFAULT_OUTPUT_TOKENS, tokens),
    ...(limit === undefined && tokens > 0 && { isLimitForeign: true }),
    choices: prompts * (request.n ?? 1),
    paidAnswers,
    callFactor: paidAnswers,
    ...promptSize(body, ['prompt', 'suffix'], counting),
    ...numberedTokens(prompt),
    ...logged,
    wantsStreamUsage: request.stream_options?.include_usage ?? false,
  };
};

/** The last chunks of a stream, with the id and model of its first. */
const endAtLimit = ({ first, openChoices, usage }: CutStream): readonly Frame[] => {
  const begun = first.map(({ data }) => parsedFields(data)).find((chunk) => chunk?.['id'] !== undefined);
  const { usage: _, ...head } = begun ?? { object: 'text_completion' };
  const ends = openChoices.map((index) => ({ index, text: '', logprobs: null, finish_reason: 'length' }));
  const chunks = [
    ...ends.map((end) => ({ ...head, choices: [end] })),
    ...(usage === undefined ? [] : [{ ...head, choices: [], usage: writeUsage(usage) }]),
  ];
  return [...chunks.map((chunk) => JSON.stringify(chunk)), '[DONE]'].map((data) => writeFrame(data));
};

/** `POST /v1/completions`, the format before chats. Its bytes are only repeated. */
export const openaiCompletions: Wire & { readonly name: 'openai-completions' } = {
  name: 'openai-completions',
  facts,
  askForUsage,
  limitOutput: (body, tokens, ifUnsaid) =>
    limitNumbers(body, tokens, ifUnsaid === 'set' ? ['max_tokens'] : []),
  cutWords: cutCompletions,
  endAtLimit,
  tap: tapOf('text'),
  tapWhole: (body) => tapParsed(body, 'text'),
  readError: readUpstreamError,
  writeError,
  writeStreamError,
  endMark: writeFrame('[DONE]').raw,
};
