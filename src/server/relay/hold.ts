import { AppError, asAppError } from '#core/error.ts';
import { BACKGROUND_HOLD_LIFE_MS, BACKGROUND_OUTPUT_TOKENS } from '#core/kept/background-response.ts';
import { holdFor } from '#core/quota/estimate.ts';
import { type Price, priceOf, timesPerCall } from '#core/quota/price.ts';
import type { Routing } from '#core/channel/routing.ts';
import { pricesFor } from '#core/quota/prices-for.ts';
import { ownChoices } from '#core/user/own-choices.ts';
import type { User } from '#core/user/user.ts';
import type { HoldOutcome } from '#core/ledger/ledger.ts';
import { giveBackUnsure } from './give-back-unsure.ts';
import { holdRefusal } from './hold-refusal.ts';
import type { RelayDeps } from './ports.ts';
import { errorLog } from './record.ts';
import type { RefusalLog } from './refusal-log.ts';
import { known, type Running } from './running.ts';
import { storeBusy } from './store-busy.ts';

/** No call runs longer than this; whatever is still held then was lost by a crash. */
export const HOLD_LIFE_MS = 24 * 3_600_000;

export type HoldDeps = Pick<RelayDeps, 'ledger' | 'metrics' | 'clock'> & { readonly refusals: RefusalLog };

const prices = new WeakMap<Routing, Map<string, Price>>();

/** The price of a model for a pair of groups, multiplied out once for each routing. */
const priceFor = (routing: Routing, model: string, user: User, group: string): Price => {
  let book = prices.get(routing);
  if (book === undefined) prices.set(routing, (book = new Map()));
  const { acceptsUnpriced } = ownChoices(user);
  const key = `${model}\n${user.group}\n${group}\n${String(acceptsUnpriced)}`;
  let price = book.get(key);
  if (price === undefined)
    book.set(key, (price = priceOf(pricesFor(routing, user), model, user.group, group)));
  return price;
};

/** Takes the worst case aside. Throws `insufficient_quota`, `forbidden`, `unauthenticated` or `unavailable`. */
export const hold = (deps: HoldDeps, running: Running): Promise<void> => {
  const { facts } = known(running.asked, 'read');
  const price = priceOfCall(running);
  const units = holdFor(price, {
    inputTokens: facts.inputTokensEstimate,
    maxOutputTokens:
      facts.maxOutputTokens ?? (running.background !== undefined ? BACKGROUND_OUTPUT_TOKENS : undefined),
    choices: facts.choices,
    toolCalls: facts.toolCalls,
    leastInputTokens: running.routing.options.PreConsumedQuota,
  });
  return takeAside(deps, running, price, units);
};

/** The price of what this caller asked for, or of so many answers of it. Throws `invalid_request` where the model has none. */
export const priceOfCall = (running: Running, answers?: number): Price => {
  const { user } = known(running.caller, 'authenticate');
  const { facts } = known(running.asked, 'read');
  const price = priceFor(running.routing, facts.model, user, running.group);
  const factor = facts.callFactor ?? 1;
  return timesPerCall(price, answers === undefined ? factor : (factor / facts.choices) * answers);
};

/** Holds so many units for a call; throws as `hold` does. */
export const takeAside = async (
  deps: HoldDeps,
  running: Running,
  price: Price,
  units: number,
): Promise<void> => {
  const { user, token } = known(running.caller, 'authenticate');
  running.price = price;
  running.heldUnits = units;
  const outcome = await deps.ledger
    .hold({
      id: running.call.requestId,
      userId: user.id,
      tokenId: token?.id ?? null,
      quotaUnits: running.heldUnits,
      nowMs: running.createdAtMs,
      expiresAtMs:
        running.createdAtMs + (running.background !== undefined ? BACKGROUND_HOLD_LIFE_MS : HOLD_LIFE_MS),
    })
    .catch((thrown: unknown) => {
      void giveBackUnsure(deps, running.call.requestId);
      throw thrown instanceof AppError ? thrown : storeBusy(asAppError(thrown));
    });
  if (outcome !== 'held') throw await refused(deps, running, outcome);
  running.holdState = 'open';
  deps.metrics.holdOpened();
};

/** What the caller is told where nothing was taken aside; a shortage leaves a row, as a call that failed does. */
const refused = async (
  deps: HoldDeps,
  running: Running,
  outcome: Exclude<HoldOutcome, 'held'>,
): Promise<AppError> => {
  const { heldUnits, routing } = running;
  const error = holdRefusal(outcome, heldUnits, routing.options);
  // What is drawn beside an answer has its row with that answer's.
  if (typeof outcome !== 'object' || running.isBeside) return error;
  running.failure = error;
  const { availableUnits, heldUnits: heldByOthers } = outcome;
  const amounts = { asked_units: heldUnits, available_units: availableUnits, held_units: heldByOthers };
  const durationMs = deps.clock.monotonic() - running.startedMs;
  await deps.refusals.note(known(running.caller, 'authenticate'), (refusedBefore) =>
    errorLog(running, durationMs, { ...amounts, refused_before: refusedBefore }),
  );
  return error;
};
