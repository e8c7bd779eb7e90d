import { AppError, asAppError, unavailable } from '#core/error.ts';
import { aliasedModel } from '#core/channel/aliased-model.ts';
import { BACKGROUND_HOLD_LIFE_MS } from '#core/kept/background-response.ts';
import {
  type Afford,
  affordedTokens,
  type Amounts,
  allOr,
  type HoldPlan,
  holdPlan,
  NO_ANSWER,
  outputLimitOf,
  plentyOr,
  sharedAmounts,
} from '#core/quota/afford.ts';
import {
  type HeldOfLittle,
  type HoldOutcome,
  type HoldRefusal,
  isRefused,
  type Shortage,
} from '#core/ledger/ledger.ts';
import { BYTES_PER_TOKEN } from '#core/quota/charge.ts';
import type { Price } from '#core/quota/price.ts';
import { affordOf } from './afford-of-call.ts';
import { voidUnsureHold } from './close-hold.ts';
import { holdRefusal } from './hold-refusal.ts';
import { limitsIfLarge } from '../limits-of-call.ts';
import type { RelayDeps } from '../../ports.ts';
import { type MoneyQueue, patientHold } from './money-queue.ts';
import { priceOfCall } from '../price/price-of-call.ts';
import { lesser } from '#core/lesser.ts';
import { errorLog } from '../record.ts';
import { RollingHold } from './rolling-hold.ts';
import { fixedSize, Sizing, type Terms } from './sizing.ts';
import type { RefusalLog } from '../refusal-log.ts';
import type { Admitted, Held } from '../../stages.ts';

/**
 * A payer with less than this many times the first hold of a stream counts as short of money: a dense text can have
 * this many times the tokens of prose.
 */
const TIGHT_TIMES = BYTES_PER_TOKEN;

/** No call runs longer than this. An older hold was left behind by a crash. */
export const HOLD_LIFE_MS = 24 * 3_600_000;

export type HoldDeps = Pick<RelayDeps, 'ledger' | 'metrics' | 'clock'> & {
  readonly refusals: RefusalLog;
  readonly money: MoneyQueue;
};

/**
 * Smaller amounts, for calls whose upstream decides how much it does: the usual amount, and the least worth starting
 * with.
 */
interface Less {
  readonly usual: Admitted;
  readonly least: Admitted;
}

/**
 * Holds the most a call may cost; for a stream, enough for its beginning. If less is available, holds that. With
 * `less`, a payer with little quota holds the usual amount, or as little as the least one. Throws
 * `insufficient_quota`, `forbidden`, `unauthenticated` or `unavailable`.
 */
export const hold = async (deps: HoldDeps, admitted: Admitted, less?: Less): Promise<Held> => {
  const price = priceOfCall(admitted);
  const sizing = new Sizing(admitted, (sized) => {
    const afford = affordOf(sized, price);
    const all = planOf(sized, price, afford);
    const plan = less === undefined ? all : plentyOr(all, planFor(less.usual), planFor(less.least));
    const shares = less === undefined && afford.style !== 'fixed' && !readsMore(sized);
    return { plan, style: afford.style, afford, shared: shares ? afford : undefined };
  });
  const { outcome, asked } = await openHold(deps, admitted, sizing);
  if (outcome !== 'held' && outcome.quotaUnits < sizing.terms.plan.quotaUnits) await sizing.refine();
  const { afford, plan } = sizing.terms;
  const isWatched = afford.style === 'stream' && !afford.hidesThoughts;
  const isShare = outcome === 'held' && asked.quotaUnits < plan.quotaUnits && !isWatched;
  const ofShare = isShare ? { quotaUnits: asked.quotaUnits, payableUnits: asked.quotaUnits } : undefined;
  const little = outcome === 'held' ? ofShare : outcome;
  const { price: dearest, priceTold, size } = afford;
  const { heldUnits, answerTokens } = heldBy(
    plan,
    little?.quotaUnits ?? asked.quotaUnits,
    little === undefined,
    afford,
  );
  const isSpoken = isSpokenStream(admitted, afford);
  const { answerTokensMost: most, keepsAnHour, model } = admitted.request.facts;
  if (afford.style === 'stream' || isSpoken)
    admitted.live.rolling = new RollingHold({
      id: admitted.call.requestId,
      price: dearest,
      priceTold,
      size,
      asked: { keepsAnHour, model },
      heldUnits,
      coveredTokens: answerTokens * size.choices,
      mostUnits: isSpoken ? heldUnits : mostOf(afford, plan),
      limitsNow: () => limitsIfLarge(admitted),
      isTight: isSpoken || (little !== undefined && little.payableUnits < plan.quotaUnits * TIGHT_TIMES),
      grow: (growth) => deps.ledger.grow(growth),
      join: (shortage) => joinQueue(deps, admitted, shortage, 'running'),
      isCrowded: () => deps.money.isCrowded(admitted.caller),
    });
  const outputLimit = lesser(little && outputLimitOf(afford, little), most);
  return { ...admitted, price, heldUnits, outputLimit, pictures: undefined };
};

/** The most that a stream may cost; undefined if no limit is known. */
const mostOf = ({ size, isLimitForeign }: Afford, { mostUnits }: HoldPlan): number | undefined =>
  size.maxOutputTokens === undefined || isLimitForeign ? undefined : mostUnits;

/**
 * Whether a stream speaks. Its hold does not grow, and it is watched, because the upstream may say more than it was
 * allowed to.
 */
const isSpokenStream = ({ request, live, wire }: Admitted, { style, size }: Afford): boolean =>
  style === 'whole' &&
  size.speaks === true &&
  request.facts.stream &&
  live.background === undefined &&
  wire.endAtLimit !== undefined;

/** What a call holds before it is sent. Throws `insufficient_quota` if no balance could hold the least. */
export const planFor = (admitted: Admitted): HoldPlan => {
  const price = priceOfCall(admitted);
  return planOf(admitted, price, affordOf(admitted, price));
};

/**
 * Plans the hold. A file of unknown size may fill the model's whole context, which is held. So may what tools read, and a
 * picture may be large: that much is held if the payer has it.
 */
const planOf = (admitted: Admitted, price: Price, afford: Afford): HoldPlan => {
  const sure = holdPlan(afford);
  if (!readsMore(admitted)) return sure;
  const { facts } = admitted.request;
  const { mayFillContext, continues = false, morePictureTokens = 0 } = facts;
  const mayFill = mayFillContext !== undefined || continues;
  const found = finds(admitted) ? facts.inputTokensEstimate + FOUND_TOKENS : 0;
  const leastPrompt = mayFill ? longestPrompt(admitted) : found;
  const all = holdPlan(affordOf(admitted, price, leastPrompt, morePictureTokens));
  // A file is read to its end, however long it is.
  return mayFillContext === 'files' ? all : allOr(all, sure);
};

/**
 * Tools that add what they find to the prompt, and how many tokens that usually is; recordings have 8,500 to 25,000.
 */
const FINDERS = ['web_search', 'file_search'] as const;
const FOUND_TOKENS = 10_000;

const finds = ({ request }: Admitted): boolean => {
  const { toolCalls } = request.facts;
  return toolCalls !== undefined && FINDERS.some((tool) => (toolCalls[tool] ?? 0) > 0);
};

/** Whether the model may read more than was sent, or more than can be counted here. */
const readsMore = (admitted: Admitted): boolean => {
  const { mayFillContext, continues = false, morePictureTokens = 0 } = admitted.request.facts;
  return mayFillContext !== undefined || continues || morePictureTokens > 0 || finds(admitted);
};

/** The longest context of any model. */
const LONGEST_PROMPT_TOKENS = 1_048_576;

const longestPrompt = ({ routing, request }: Admitted): number =>
  routing.catalogue.find(aliasedModel(routing, request.facts.model))?.contextWindow ?? LONGEST_PROMPT_TOKENS;

/** The units held, and how many tokens of an answer they pay for. */
const heldBy = (
  { quotaUnits, answerTokens, takesMost, mostUnits = quotaUnits, mostTokens }: HoldPlan,
  heldUnits: number,
  hasPlenty: boolean,
  { price, size, style }: Afford,
): { readonly heldUnits: number; readonly answerTokens: number } => {
  if (hasPlenty && takesMost && mostUnits > quotaUnits)
    return { heldUnits: mostUnits, answerTokens: mostTokens };
  if (heldUnits >= quotaUnits || style !== 'stream') return { heldUnits, answerTokens };
  return { heldUnits, answerTokens: affordedTokens(price, size, heldUnits) };
};

/** Holds this many units for a call; throws as `hold` does. */
export const holdUnits = async (
  deps: HoldDeps,
  admitted: Admitted,
  price: Price,
  heldUnits: number,
): Promise<Held> => {
  await openHold(deps, admitted, fixedSize({ ...NO_ANSWER, quotaUnits: heldUnits }));
  return { ...admitted, price, heldUnits, outputLimit: undefined, pictures: undefined };
};

const openHold = async (
  deps: HoldDeps,
  admitted: Admitted,
  sizing: Pick<Sizing, 'refine'> & { readonly terms: Terms },
): Promise<{ readonly outcome: 'held' | HeldOfLittle; readonly asked: Amounts }> => {
  const { caller, call, createdAtMs, live } = admitted;
  const lifeMs = live.background !== undefined ? BACKGROUND_HOLD_LIFE_MS : HOLD_LIFE_MS;
  let asked: Amounts = { quotaUnits: 0, leastUnits: 0 };
  const ask = (amounts: Amounts): Promise<HoldOutcome> => {
    asked = amounts;
    const { plan } = sizing.terms;
    const isAll = amounts.quotaUnits >= plan.quotaUnits;
    return deps.ledger.hold({
      id: call.requestId,
      userId: caller.user.id,
      tokenId: caller.token?.id ?? null,
      ...amounts,
      mostUnits: isAll ? plan.mostUnits : (plan.mostUnits ?? plan.quotaUnits),
      takesMost: isAll && plan.takesMost,
      mostFromUnits: plan.mostFromUnits,
      nowMs: createdAtMs,
      expiresAtMs: createdAtMs + lifeMs,
    });
  };
  const amounts = () => amountsNow(deps.money, admitted, sizing.terms);
  const waits = call.operation !== 'realtime' && !admitted.isSideCall;
  const waitMs = admitted.routing.options.QuotaWaitSeconds * 1000;
  const join = (shortage: Shortage) => (waits ? joinQueue(deps, admitted, shortage, waitMs) : undefined);
  let outcome: HoldOutcome;
  try {
    outcome = await patientHold(ask, amounts, join, () => sizing.refine());
  } catch (thrown) {
    void voidUnsureHold(deps, call.requestId);
    throw thrown instanceof AppError ? thrown : unavailable(asAppError(thrown));
  }
  if (isRefused(outcome)) throw live.stopped ?? (await refused(deps, admitted, asked.leastUnits, outcome));
  live.holdState = 'open';
  deps.metrics.holdOpened();
  return { outcome, asked };
};

/**
 * The amounts to request now, the best first. A whole reply prefers all it may cost, and waits for that. While other
 * calls of the same payer wait, no call asks for more than its share, or than its beginning needs.
 */
function* amountsNow(
  money: MoneyQueue,
  { caller, request }: Admitted,
  { plan: { quotaUnits, leastUnits = quotaUnits, takesMost }, style, shared }: Terms,
): Generator<Amounts, void, void> {
  const share = money.shareOf(caller);
  // Searches among prices, which takes time, so it is done only if money is short.
  const smallest = (): Amounts | undefined => {
    const longest = shared && money.usual.longest(caller.user.id, request.facts.model);
    return shared && longest !== undefined ? sharedAmounts(shared, share ?? 0, longest) : undefined;
  };
  let small = share === undefined ? undefined : smallest();
  if (small !== undefined && small.quotaUnits < quotaUnits) {
    yield small;
    return;
  }
  if (style !== 'stream') yield { quotaUnits, leastUnits: quotaUnits };
  const begins = style !== 'stream' || share === undefined || takesMost;
  yield { quotaUnits: begins ? quotaUnits : leastUnits, leastUnits };
  small ??= smallest();
  if (small !== undefined && small.leastUnits < leastUnits) yield small;
}

/** Joins the payer's queue, to wait for money that the payer's other running calls hold. */
const joinQueue = (
  { money }: HoldDeps,
  { caller, live }: Admitted,
  shortage: Shortage,
  waitMs: number | 'running',
) => money.join(shortage, caller, () => live.isAborted, waitMs);

/** The error when nothing was held. A shortage leaves a log row, like a failed call. */
const refused = async (
  deps: HoldDeps,
  admitted: Admitted,
  askedUnits: number,
  outcome: HoldRefusal,
): Promise<AppError> => {
  const { routing, request, isSideCall, live, startedMs, caller } = admitted;
  const error = holdRefusal(outcome, askedUnits, routing.options, request.facts.mayFillContext === 'files');
  // Pictures are logged with the answer they belong to.
  if (typeof outcome !== 'object' || isSideCall) return error;
  live.failure = error;
  const { availableUnits, heldUnits } = outcome;
  const amounts = { asked_units: askedUnits, available_units: availableUnits, held_units: heldUnits };
  const durationMs = deps.clock.monotonic() - startedMs;
  await deps.refusals.note(caller, (refusedBefore) =>
    errorLog(admitted, durationMs, { ...amounts, refused_before: refusedBefore }),
  );
  return error;
};
