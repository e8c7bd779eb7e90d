import { AppError, asAppError, unavailable } from '#core/error.ts';
import { BACKGROUND_HOLD_LIFE_MS, BACKGROUND_OUTPUT_TOKENS } from '#core/kept/background-response.ts';
import {
  type Afford,
  affordedTokens,
  type HoldPlan,
  holdPlan,
  type HoldStyle,
  NO_ANSWER,
  outputLimitOf,
} from '#core/quota/afford.ts';
import { paysPictures } from '#core/quota/estimate.ts';
import { type Price, priceOf, timesPerCall } from '#core/quota/price.ts';
import type { Routing } from '#core/channel/routing.ts';
import { ceilingOf, priceAt } from '#core/quota/price-variants.ts';
import { priceOfMedia } from '#core/quota/media-price.ts';
import { pricesFor } from '#core/quota/prices-for.ts';
import { ownChoices } from '#core/user/own-choices.ts';
import type { User } from '#core/user/user.ts';
import {
  type HeldOfLittle,
  type HoldOutcome,
  type HoldRefusal,
  isRefused,
  type Shortage,
} from '#core/ledger/ledger.ts';
import { asksForThoughts } from './asked-thoughts.ts';
import { voidUnsureHold } from './close-hold.ts';
import type { RelayDeps } from '../ports.ts';
import { type MoneyQueue, patientHold } from './money-queue.ts';
import { errorLog } from './record.ts';
import { RollingHold } from './rolling-hold.ts';
import type { RefusalLog } from './refusal-log.ts';
import { thinksOutOfSight } from '#core/chat/thinks-out-of-sight.ts';
import type { Operation } from '#core/operation.ts';
import type { RequestFacts } from '../../dialects/dialect.ts';
import type { Admitted, Asked, Held } from '../stages.ts';
import { lesser, mostCalls, raisedByOverrides } from './raised-by-overrides.ts';
import { sendableTerms } from './service-of-call.ts';
import type { Phrase } from '#contract/messages.ts';
import type { OptionValues } from '#contract/options.ts';
import { shownQuota } from '#core/quota/shown-quota.ts';
import { invalidKey } from '#core/token/relay-key.ts';

/** No call runs longer than this. An older hold was left behind by a crash. */
export const HOLD_LIFE_MS = 24 * 3_600_000;

export type HoldDeps = Pick<RelayDeps, 'ledger' | 'metrics' | 'clock'> & {
  readonly refusals: RefusalLog;
  readonly money: MoneyQueue;
};

const prices = new WeakMap<Routing, Map<string, Price>>();

/** The price of a model for a pair of groups, computed once per routing. */
export const priceFor = (routing: Routing, model: string, user: User, group: string): Price => {
  let book = prices.get(routing);
  if (book === undefined) prices.set(routing, (book = new Map()));
  const { acceptsUnpriced } = ownChoices(user);
  const key = `${model}\n${user.group}\n${group}\n${String(acceptsUnpriced)}`;
  let price = book.get(key);
  if (price === undefined)
    book.set(key, (price = priceOf(pricesFor(routing, user), model, user.group, group)));
  return price;
};

/**
 * Holds the most a call may cost; for a stream, enough for its beginning. Throws `insufficient_quota`, `forbidden`,
 * `unauthenticated` or `unavailable`.
 */
export const hold = async (deps: HoldDeps, admitted: Admitted): Promise<Held> => {
  const price = priceOfCall(admitted);
  const afford = affordOf(admitted, price);
  const plan = holdPlan(afford);
  const outcome = await held(deps, admitted, plan, afford.style === 'whole');
  const little = outcome === 'held' ? undefined : outcome;
  const { price: dearest, size } = afford;
  const { heldUnits, answerTokens } = heldBy(plan, little, afford);
  if (afford.style === 'stream')
    admitted.live.rolling = new RollingHold({
      id: admitted.call.requestId,
      price: dearest,
      size,
      heldUnits,
      coveredTokens: answerTokens * size.choices,
      mostUnits: size.maxOutputTokens === undefined || afford.isLimitForeign ? undefined : plan.mostUnits,
      grow: (growth) => deps.ledger.grow(growth),
      join: (shortage) => joined(deps, admitted, shortage, true),
    });
  const { answerTokensMost: most } = admitted.request.facts;
  const outputLimit = lesser(little && outputLimitOf(afford, little), most);
  return { ...admitted, price, heldUnits, outputLimit, pictures: undefined };
};

/** The units held, and the length of answer in tokens that they pay for. */
const heldBy = (
  { quotaUnits, answerTokens, takesMost, mostUnits = quotaUnits, mostTokens }: HoldPlan,
  little: HeldOfLittle | undefined,
  { price, size, style }: Afford,
): { readonly heldUnits: number; readonly answerTokens: number } => {
  if (little === undefined && takesMost && mostUnits > quotaUnits)
    return { heldUnits: mostUnits, answerTokens: mostTokens };
  const heldUnits = little?.quotaUnits ?? quotaUnits;
  if (heldUnits >= quotaUnits || style !== 'stream') return { heldUnits, answerTokens };
  return { heldUnits, answerTokens: affordedTokens(price, size, heldUnits) };
};

/** The bounds of the call's cost, at its highest possible price. */
export const affordOf = (admitted: Admitted, price: Price): Afford => {
  const { request, live, routing } = admitted;
  const { facts } = request;
  const raised = raisedByOverrides(admitted);
  const named =
    facts.maxOutputTokens ?? (live.background !== undefined ? BACKGROUND_OUTPUT_TOKENS : undefined);
  const longest = Math.max(named ?? 0, raised.outputTokens);
  const size = {
    inputTokens: facts.inputTokensEstimate + raised.inputTokens,
    maxOutputTokens: named === undefined || raised.dropsLimit ? undefined : longest,
    choices: Math.max(paidAnswers(facts), raised.answers),
    toolCalls: mostCalls(facts.toolCalls, raised.toolCalls),
    leastInputTokens: routing.options.PreConsumedQuota,
  };
  const promptMost = Math.max(size.inputTokens, size.leastInputTokens);
  const ofAll = raised.answers > paidAnswers(facts) ? priceOfCall(admitted, raised.answers) : price;
  const dearest = ceilingOf(ofAll, promptMost, sendableTerms(admitted, price, raised.terms));
  return {
    price: dearest,
    size,
    style: styleOf(admitted, price),
    isLimitForeign: facts.isLimitForeign === true,
    thinks: raised.thinks || thinksOutOfSight(facts.model) || asksForThoughts(request.fields),
    assumedTokens: longest,
    hidesThoughts: thinksOutOfSight(facts.model),
  };
};

/** Operations whose answers have a length limit that the caller sets. */
const LIMITED: ReadonlySet<Operation> = new Set<Operation>(['chat', 'completions']);

const styleOf = ({ call, request, live }: Admitted, price: Price): HoldStyle => {
  const { stream, maxOutputTokens } = request.facts;
  const isByLength = price.perToken !== undefined && !paysPictures(price) && maxOutputTokens !== 0;
  if (!isByLength || !LIMITED.has(call.operation)) return 'fixed';
  return stream && call.operation === 'chat' && live.background === undefined ? 'stream' : 'whole';
};

/** The number of answers that are held for and charged. */
export const paidAnswers = ({ choices, paidAnswers: paid = choices }: RequestFacts): number => paid;

type Payable = Pick<Asked, 'routing' | 'request' | 'caller' | 'createdAtMs'> & Pick<Admitted, 'group'>;

/**
 * The price of what this caller asked for, or of `answers` answers of it. Throws `invalid_request` if the model has no
 * price.
 */
export const priceOfCall = (
  { routing, request, caller, group, createdAtMs }: Payable,
  answers?: number,
): Price => {
  const { facts } = request;
  const { model, callFactor: factor = 1 } = facts;
  const price = priceFor(routing, model, caller.user, group);
  const times = answers === undefined ? factor : (factor / paidAnswers(facts)) * answers;
  return priceAt(priceOfMedia(timesPerCall(price, times), request.fields), createdAtMs);
};

/** Holds this many units for a call; throws as `hold` does. */
export const holdUnits = async (
  deps: HoldDeps,
  admitted: Admitted,
  price: Price,
  heldUnits: number,
): Promise<Held> => {
  await held(deps, admitted, { ...NO_ANSWER, quotaUnits: heldUnits }, false);
  return { ...admitted, price, heldUnits, outputLimit: undefined, pictures: undefined };
};

const held = async (
  deps: HoldDeps,
  admitted: Admitted,
  plan: HoldPlan,
  prefersAll: boolean,
): Promise<'held' | HeldOfLittle> => {
  const { caller, call, createdAtMs, live } = admitted;
  const lifeMs = live.background !== undefined ? BACKGROUND_HOLD_LIFE_MS : HOLD_LIFE_MS;
  const { quotaUnits, mostUnits, takesMost } = plan;
  const ask = (leastUnits: number): Promise<HoldOutcome> =>
    deps.ledger.hold({
      id: call.requestId,
      userId: caller.user.id,
      tokenId: caller.token?.id ?? null,
      quotaUnits,
      leastUnits,
      mostUnits,
      takesMost,
      nowMs: createdAtMs,
      expiresAtMs: createdAtMs + lifeMs,
    });
  const waits = call.operation !== 'realtime' && !admitted.isSideCall;
  const join = (shortage: Shortage) => (waits ? joined(deps, admitted, shortage, false) : undefined);
  const outcome = await patientHold(ask, plan, prefersAll, join).catch((thrown: unknown) => {
    void voidUnsureHold(deps, call.requestId);
    throw thrown instanceof AppError ? thrown : unavailable(asAppError(thrown));
  });
  if (isRefused(outcome))
    throw live.stopped ?? (await refused(deps, admitted, plan.leastUnits ?? quotaUnits, outcome));
  live.holdState = 'open';
  deps.metrics.holdOpened();
  return outcome;
};

/** Joins the payer's queue, to wait for money that the payer's other running calls hold. */
const joined = ({ money }: HoldDeps, { caller, live }: Admitted, shortage: Shortage, isRunning: boolean) =>
  money.join(shortage, caller, () => live.isAborted, isRunning);

/** The error when nothing was held. A shortage leaves a log row, like a failed call. */
const refused = async (
  deps: HoldDeps,
  admitted: Admitted,
  askedUnits: number,
  outcome: HoldRefusal,
): Promise<AppError> => {
  const { routing, isSideCall, live, startedMs, caller } = admitted;
  const error = holdRefusal(outcome, askedUnits, routing.options);
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

type Options = Pick<OptionValues, 'DisplayInCurrencyEnabled' | 'QuotaPerUnit' | 'ServerAddress'>;

/** Whose quota it is, and how to get more of it. */
const payers = {
  user_short: { name: 'user', noun: 'account', page: 'topup', title: 'Wallet', remedy: 'Top up' },
  token_short: {
    name: 'token',
    noun: 'token',
    page: 'token',
    title: 'Tokens',
    remedy: "Raise the token's quota",
  },
} as const;

/**
 * Why the ledger refused the hold, for the caller. If quota is short, also how much is missing and what to do about it.
 */
export const holdRefusal = (outcome: HoldRefusal, askedUnits: number, options: Options): AppError => {
  switch (outcome) {
    case 'duplicate':
      return new AppError('internal', 'internal server error', { reason: 'duplicate_request_id' });
    case 'user_refused':
      return new AppError('forbidden', 'user banned', { reason: 'user_banned' });
    case 'token_refused':
      return invalidKey();
    default:
      return shortOf(outcome, askedUnits, options);
  }
};

const shortOf = (
  { state, availableUnits, heldUnits }: Shortage,
  askedUnits: number,
  options: Options,
): AppError => {
  const { name, noun, page, title, remedy } = payers[state];
  const shown = (units: number): string => shownQuota(units, options);
  const held = heldUnits === 0 ? '' : `, and ${shown(heldUnits)} more is held by calls that are running`;
  const address = options.ServerAddress.replace(/\/+$/, '');
  const where = address === '' ? `on the page ${title} of the console` : `at ${address}/${page}`;
  const message =
    `insufficient ${name} quota: at least ${shown(askedUnits)} is held while this call runs, ` +
    `the ${noun} has ${shown(availableUnits)}${held}. ${remedy} ${where}, or ask for fewer output tokens`;
  // The playground has no token, so only texts about the account are translated.
  const wallet: Phrase =
    address === '' ? { key: 'relay_wallet_page' } : { key: 'relay_wallet_at', values: { address } };
  const phrase: Phrase | undefined =
    name === 'token'
      ? undefined
      : {
          key: 'relay_short',
          values: {
            asked: shown(askedUnits),
            left: shown(availableUnits),
            held: heldUnits === 0 ? '' : { key: 'relay_held_more', values: { units: shown(heldUnits) } },
            remedy: { key: 'relay_remedy', values: { where: wallet } },
          },
        };
  return new AppError('insufficient_quota', message, {
    reason: `insufficient_${name}_quota`,
    ...(phrase !== undefined && { phrase }),
  });
};
