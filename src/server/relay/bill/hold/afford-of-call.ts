import { BACKGROUND_OUTPUT_TOKENS } from '#core/kept/background-response.ts';
import { thinksOutOfSight } from '#core/chat/thinks-out-of-sight.ts';
import type { Operation } from '#core/operation.ts';
import type { Afford, HoldStyle } from '#core/quota/afford.ts';
import { DEFAULT_OUTPUT_TOKENS, paysPictures } from '#core/quota/estimate.ts';
import { ceilingOf } from '#core/quota/price-variants.ts';
import type { Price } from '#core/quota/price.ts';
import type { ServiceTerms } from '#core/quota/service-terms.ts';
import { asksForPictures } from '../../request/can-repeat.ts';
import { searchesOfModel } from '../../../dialects/openai/tools/tool-calls.ts';
import type { Admitted } from '../../stages.ts';
import { asksForThoughts } from './asked-thoughts.ts';
import { paidAnswers, priceOfCall } from '../price/price-of-call.ts';
import { mostCalls, raisedByOverrides } from './raised-by-overrides.ts';
import type { RollingTerms } from './rolling-hold.ts';
import { sendableTerms } from '../price/service-of-call.ts';

/** The longest answer with pictures that any maker allows, in tokens: about 25 pictures. */
const DRAWN_TOKENS = 32_768;

/**
 * The bounds of the call's cost, at its highest possible price.
 * @param leastPrompt the least tokens to assume for the prompt, where more may be read than was sent
 * @param morePictures further tokens, where pictures may be larger than usual
 */
export const affordOf = (
  admitted: Admitted,
  price: Price,
  leastPrompt = 0,
  morePictures = 0,
): Afford & Pick<RollingTerms, 'priceTold'> => {
  const { request, live, routing } = admitted;
  const { facts } = request;
  const raised = raisedByOverrides(admitted);
  const named =
    facts.maxOutputTokens ?? (live.background !== undefined ? BACKGROUND_OUTPUT_TOKENS : undefined);
  const longest = Math.max(named ?? 0, raised.outputTokens);
  const limit = named === undefined || raised.dropsLimit ? undefined : longest;
  const hidesThoughts = thinksOutOfSight(facts.model);
  const draws = drawsInAnswer(admitted, price);
  // A picture is drawn to its end, even if the answer is limited to fewer tokens.
  const drawn = Math.max(limit ?? 0, DEFAULT_OUTPUT_TOKENS);
  const size = {
    inputTokens: Math.max(
      leastPrompt,
      facts.inputTokensEstimate + (facts.readAgainTokens ?? 0) + raised.inputTokens + morePictures,
    ),
    soundTokens: facts.soundTokens,
    pictureTokens: (facts.pictureTokens ?? 0) + morePictures,
    maxOutputTokens: draws ? drawn : limit,
    choices: Math.max(paidAnswers(facts), raised.answers),
    outputTokensMost: draws ? (limit === undefined ? DRAWN_TOKENS : drawn) : facts.outputTokensMost,
    speaks: facts.speaks,
    toolCalls: mostCalls(facts.toolCalls ?? searchesOfModel(facts.model), raised.toolCalls),
    toolCallsMost: facts.toolCallsMost && mostCalls(facts.toolCallsMost, raised.toolCalls),
    leastInputTokens: routing.options.PreConsumedQuota,
  };
  const promptMost = Math.max(size.inputTokens, size.leastInputTokens);
  const ofAll = raised.answers > paidAnswers(facts) ? priceOfCall(admitted, raised.answers) : price;
  const terms = sendableTerms(admitted, price, raised.terms);
  return {
    price: ceilingOf(ofAll, promptMost, terms),
    priceTold: (promptTokens: number, served: ServiceTerms = {}) =>
      ceilingOf(ofAll, Math.max(promptMost, promptTokens), [...(terms ?? []), served]),
    size,
    style: draws ? 'fixed' : styleOf(admitted, price),
    drawsFreely: draws && limit === undefined,
    isLimitForeign: facts.isLimitForeign === true,
    thinks: raised.thinks || hidesThoughts || asksForThoughts(request.fields),
    assumedTokens: longest,
    hidesThoughts,
  };
};

/** Operations whose answers have a length limit that the caller sets. */
const LIMITED: ReadonlySet<Operation> = new Set<Operation>(['chat', 'completions']);

/** Whether an answer may have pictures between its words. */
const drawsInAnswer = ({ call, request }: Admitted, price: Price): boolean =>
  call.operation === 'chat' &&
  price.perToken !== undefined &&
  (paysPictures(price) || asksForPictures(request.fields));

const styleOf = ({ call, request, live, wire }: Admitted, price: Price): HoldStyle => {
  const { stream, maxOutputTokens } = request.facts;
  const isByLength = price.perToken !== undefined && !paysPictures(price) && maxOutputTokens !== 0;
  if (!isByLength || !LIMITED.has(call.operation)) return 'fixed';
  // How much is spoken is known only at the end.
  const isWatched = stream && request.facts.speaks !== true && live.background === undefined;
  // A repeated prompt is no part of the answer, but counts as output.
  const isCounted = wire.endAtLimit !== undefined && request.fields['echo'] !== true;
  return isWatched && isCounted ? 'stream' : 'whole';
};
