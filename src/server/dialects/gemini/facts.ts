import type { Counting } from '../openai/usage/estimate-tokens.ts';
import { z } from 'zod';
import { AppError } from '#core/error.ts';
import type { RequestFacts } from '../dialect.ts';
import {
  anyObject,
  choiceCount,
  flag,
  innerFields,
  knob,
  modelName,
  parseBounds,
  quick,
  smallCount,
  someObjects,
  tokenCount,
  wholeBetween,
  wholeNumber,
} from '../openai/bounds.ts';
import { type Fields, fieldsOf, isFields } from '#core/json/fields.ts';
import { sizeOfPrompt } from './estimate.ts';
import { loggedTokensMost } from '../openai/usage/logprob-size.ts';
import { camelFields } from './fields.ts';
import { wantsSpeech } from './speech.ts';
import { offeredCalls } from './tool-calls.ts';

/** A budget of −1 leaves the choice to the model. */
const budget = wholeBetween(-1, 10_000_000);

const bounds = z.object({
  model: modelName,
  stream: flag,
  contents: quick(z.union([someObjects, anyObject]), (value) =>
    Array.isArray(value) ? value.length > 0 && value.every(isFields) : isFields(value),
  ),
  generationConfig: innerFields({
    candidateCount: choiceCount,
    maxOutputTokens: tokenCount,
    temperature: knob,
    topP: knob,
    topK: knob,
    presencePenalty: knob,
    frequencyPenalty: knob,
    logprobs: smallCount,
    responseLogprobs: flag,
    seed: wholeNumber,
    thinkingConfig: innerFields({ thinkingBudget: budget }),
  }),
});

/**
 * The facts of a request for routing, limits and the hold. This format has the model and whether to stream in the path;
 * the route puts them into the body as `model` and `stream`, and `writeRequest` removes them.
 */
export const facts = (body: Fields, counting?: Counting): RequestFacts => {
  assertSpelledOnce(body);
  const fields = camelFields(body);
  const config = fields['generationConfig'];
  const { model, stream, generationConfig } = parseBounds(bounds, {
    ...fields,
    generationConfig:
      config === undefined || config === null ? config : withCamelThinking(camelFields(config)),
  });
  const choices = generationConfig?.candidateCount ?? 1;
  const most = generationConfig?.maxOutputTokens ?? 0;
  const logged = loggedTokensMost({
    param: 'generationConfig.logprobs',
    stream: stream ?? false,
    top: generationConfig?.responseLogprobs === true ? (generationConfig.logprobs ?? 0) : undefined,
    answers: choices,
    maxTokens: most === 0 ? undefined : most,
  });
  return {
    model,
    stream: stream ?? false,
    // 0 means "not given", so it must not make the hold small.
    maxOutputTokens: most === 0 ? undefined : most,
    choices,
    callFactor: choices,
    ...sizeOfPrompt(fields, counting),
    // Every frame of this format contains the usage so far.
    wantsStreamUsage: true,
    ...(wantsSpeech(camelFields(config)) && { speaks: true }),
    ...logged,
    ...offeredCalls(fields, model),
  };
};

/** Fields that decide a price. Upstreams that ignore case would accept other spellings of them, too. */
const COUNTED: ReadonlyMap<string, string> = new Map([
  ['candidatecount', 'candidateCount'],
  ['maxoutputtokens', 'maxOutputTokens'],
]);

/**
 * Refuses `candidateCount` beside `candidate_count`: upstreams differ on which one counts. Throws `invalid_request`.
 */
const assertSpelledOnce = (body: Fields): void => {
  const given = fieldsOf(body['generationConfig'] ?? body['generation_config']);
  for (const name of Object.keys(given)) {
    const right = COUNTED.get(name.replaceAll('_', '').toLowerCase());
    if (right !== undefined && !Object.hasOwn(camelFields({ [name]: null }), right))
      throw new AppError('invalid_request', `unknown field '${name}': write '${right}'`, { param: name });
  }
  for (const fields of [body, given]) {
    const count = Object.keys(fields).length;
    if (Object.keys(camelFields(fields)).length === count) continue;
    throw new AppError('invalid_request', 'a field is given in two spellings, with and without underscores');
  }
};

const withCamelThinking = (config: Fields): Fields =>
  config['thinkingConfig'] === undefined || config['thinkingConfig'] === null
    ? config
    : { ...config, thinkingConfig: camelFields(config['thinkingConfig']) };
