import { logType } from '#contract/codes.ts';
import { noUsage, type Usage } from '#core/chat/usage.ts';
import type { CallLog } from '#core/log/log.ts';
import { chargeFor, type Charge } from '#core/quota/charge.ts';
import { pricedOf } from '#core/price-book/priced-call.ts';
import { mergeReports } from '#core/quota/merge-reports.ts';
import type { PriceFactors } from '#core/quota/price-factors.ts';
import { quotaAt } from '#core/quota/price-variants.ts';
import type { Service } from '#core/quota/served-terms.ts';
import { priceFrom } from '#core/quota/price.ts';
import { savedByCaches } from '#core/quota/saved-by-caches.ts';
import type { ServiceTerms } from '#core/quota/service-terms.ts';
import type { UsageLimits } from '#core/quota/usage-limits.ts';
import { parsed } from '#contract/json-text.ts';
import { type Fields, fieldsOf } from '#core/json/fields.ts';
import { isOver } from '../../dialects/openai-responses/reply/response-status.ts';
import { seenOf, type SeenResponse, type Shown } from './kept-reply.ts';
import { type AskedFacts, type Meter, toolCallsOf } from '../bill/meter.ts';
import { costOfRow } from '../bill/cost/cost-of-call.ts';
import { limitsOf } from '../bill/limits-of-call.ts';
import { priceFieldsText, priceText } from '../bill/price-fields.ts';
import { addReport, openLog } from '../bill/record.ts';
import type { Held } from '../stages.ts';
import type { BackgroundResponse, BackgroundResponseStore } from '#core/kept/background-response.ts';
import type { RelayDeps } from '../ports.ts';

/** What is needed to charge and log a background response when it ends, at the prices of its beginning. */
export interface Bill {
  readonly factors: PriceFactors;
  readonly quotaPerUnit: number;
  readonly priceVersion: number;
  readonly heldUnits: number;
  readonly inputTokensEstimate: number;
  /** What else the charge depends on; absent in bills of older versions. */
  readonly asked?: Omit<AskedFacts, 'inputTokensEstimate'>;
  /** The log row, without the fields known only at the end. */
  readonly row: CallLog;
  readonly shown: Shown;
  /** The tier, speed and place it asked for. */
  readonly sent?: ServiceTerms | undefined;
  /** The group whose special ratios apply; absent in bills of older versions. */
  readonly userGroup?: string;
  /** What an honest report cannot exceed; absent in bills of older versions. */
  readonly limits?: UsageLimits | undefined;
}

/** The last known state: the response as its upstream reports it, or why it is lost. */
export type LastState = { readonly response: SeenResponse } | { readonly lost: string };

/** Reads a bill from its JSON in the database. */
export const readBill = (text: string): Bill => JSON.parse(text) as Bill;

const WHOLE: ReadonlySet<unknown> = new Set(['completed', 'incomplete']);

/**
 * Creates the bill of a call. It is stored as JSON, because the charge may come after the call or this process has
 * ended.
 */
export const billOf = (held: Held, shown = shownOf(held.live.meter)): Bill => ({
  factors: held.price.factors,
  quotaPerUnit: held.routing.options.QuotaPerUnit,
  priceVersion: held.routing.priceVersion,
  heldUnits: held.heldUnits,
  inputTokensEstimate: held.request.facts.inputTokensEstimate,
  asked: askedOf(held.request.facts),
  row: openLog(held),
  shown,
  sent: held.live.destination?.sentAs?.terms,
  userGroup: held.caller.user.group,
  limits: limitsOf(held),
});

const askedOf = ({ soundTokens, knownTokens, keepsAnHour, speaks }: AskedFacts): Bill['asked'] => ({
  soundTokens,
  knownTokens,
  keepsAnHour,
  speaks,
});

/** What a reader has received so far, according to the call's meter. */
export const shownOf = (meter: Meter): Shown => {
  const { reported, produced, outputBytes, served, thinks } = meter;
  return { served, reported, produced, outputBytes, thinks, toolCalls: toolCallsOf(meter) };
};

/** Combines two observations of one response. */
export const mergeShown = (one: Shown, other: Shown): Shown => ({
  reported: other.reported === undefined ? one.reported : mergeReports(one.reported, other.reported),
  produced: one.produced || other.produced,
  outputBytes: Math.max(one.outputBytes, other.outputBytes),
  thinks: one.thinks === true || other.thinks === true,
  toolCalls: other.toolCalls ?? one.toolCalls,
  served: other.served ?? one.served,
});

/**
 * The rule of docs/billing.md, "Responses in the background": the reported usage, else an estimate of the text received,
 * else nothing.
 */
export const backgroundCharge = (bill: Bill, state: LastState): Charge => {
  const { status, shown: last } = 'response' in state ? state.response : seenOf({});
  const shown = mergeShown(bill.shown, last);
  return chargeFor({
    ...shown,
    ...bill.asked,
    produced: shown.produced || WHOLE.has(status),
    inputTokensEstimate: bill.inputTokensEstimate,
    complete: isOver({ status }),
    limits: bill.limits,
  });
};

/** The price of this usage, and the log row. */
const chargedRow = (
  bill: Bill,
  state: LastState,
  usage: Usage,
  nowMs: number,
): { readonly quotaUnits: number; readonly log: CallLog } => {
  const price = priceFrom(bill.factors, bill.quotaPerUnit);
  const { priceVersion, heldUnits } = bill;
  const service = serviceOfBill(bill, state);
  const last = 'response' in state ? state.response.shown.reported : undefined;
  const quotaUnits = quotaAt(price, usage, service) ?? heldUnits;
  const detail = priceFieldsText({ price, priceVersion, heldUnits, service }, usage);
  const fields = { ...fieldsOf(parsed(`{${detail}}`)) };
  addReport(fields, last ?? bill.shown.reported, usage);
  const savedUnits = savedByCaches(usage, quotaUnits, (one) => quotaAt(price, one, service) ?? quotaUnits);
  const { userGroup } = bill;
  const priced =
    userGroup === undefined ? undefined : pricedOf(price, { usage, userGroup, times: 1, service });
  const row = { ...endedRow(bill, state, nowMs, fields), usage, quotaUnits, savedUnits, priced };
  return { quotaUnits, log: { ...row, content: priceText(price) } };
};

const serviceOfBill = ({ sent, shown }: Bill, state: LastState): Service => {
  const last = 'response' in state ? state.response.shown.served : undefined;
  return { sent, served: last ?? shown.served };
};

/** The log row of a response that cost nothing. */
const freeRow = (bill: Bill, state: LastState, nowMs: number): CallLog => {
  const content = 'lost' in state ? state.lost : `the response ended ${statusOf(state)}`;
  const fields = { error_type: 'background', error_code: statusOf(state), status_code: 0 };
  return { ...endedRow(bill, state, nowMs, fields), type: logType.error, usage: noUsage, content };
};

const statusOf = (state: LastState): string => {
  if ('lost' in state) return 'lost';
  return state.response.status ?? 'unknown';
};

const endedRow = ({ row }: Bill, state: LastState, nowMs: number, fields: Fields): CallLog => ({
  ...row,
  useTimeMs: Math.max(0, nowMs - row.createdAtMs),
  other: JSON.stringify({
    ...fields,
    ...(JSON.parse(row.other) as Fields),
    background_status: statusOf(state),
  }),
});

export type CloseDeps = Pick<RelayDeps, 'ledger' | 'clock' | 'routing' | 'metrics' | 'houseCosts'> & {
  readonly backgroundResponses: BackgroundResponseStore;
};

/**
 * Adds a lost response to the operator's costs, with its prompt as estimated, because nobody knows what the upstream
 * produced.
 */
const noteLostCost = async ({ houseCosts, routing }: CloseDeps, bill: Bill, atMs: number): Promise<void> => {
  const { channelId } = bill.row;
  if (channelId === 0) return;
  const usage = { ...noUsage, inputTokens: bill.inputTokensEstimate, estimated: true };
  const cost = costOfRow(routing(), bill.row, usage);
  await houseCosts.add({ channelId, kind: 'attempt', atMs, ...cost, isEstimated: true });
};

/**
 * Charges a finished response, or gives its hold back. The ledger moves the money first and only once per hold, so a
 * crash in between, or another node that saw the end too, changes nothing.
 */
export const closeBackground = async (
  deps: CloseDeps,
  { holdId, bill: billText }: Pick<BackgroundResponse, 'holdId' | 'bill'>,
  state: LastState,
): Promise<void> => {
  const bill = readBill(billText);
  const nowMs = deps.clock.now();
  const charge = backgroundCharge(bill, state);
  if (charge.action === 'void') {
    const { state: closed } = await deps.ledger.void(holdId, nowMs, freeRow(bill, state, nowMs));
    if (closed === 'closed' && 'lost' in state) await noteLostCost(deps, bill, nowMs);
  } else {
    const { quotaUnits, log: uncosted } = chargedRow(bill, state, charge.usage, nowMs);
    const cost = costOfRow(deps.routing(), bill.row, charge.usage, serviceOfBill(bill, state));
    const log = { ...uncosted, ...cost };
    const writeLog = deps.routing().options.LogConsumeEnabled;
    const outcome = await deps.ledger.settle({ id: holdId, quotaUnits, nowMs, log, writeLog });
    if (outcome.state === 'closed') deps.metrics.charged(outcome.chargedUnits, outcome.houseLossUnits);
  }
  await deps.backgroundResponses.forget(holdId);
};
