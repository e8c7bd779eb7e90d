import type { CloseOutcome, Ledger } from '#core/ledger/ledger.ts';
import type { CallLog } from '#core/log/log.ts';
import { completionTokens, promptTokens, type Usage } from '#core/chat/usage.ts';
import { countsAgainstChannel } from '#core/channel/health/blame.ts';
import { fieldsOf, listOf } from '#core/json/fields.ts';
import type { Charge } from '#core/quota/charge.ts';
import { usageWithin } from '#core/quota/afford.ts';
import { savedByCaches } from '#core/quota/saved-by-caches.ts';
import { quotaAt } from '#core/quota/price-variants.ts';
import { closeHold } from './hold/close-hold.ts';
import { paidAnswers, priceOfCall } from './price/price-of-call.ts';
import { limitsIfLarge } from './limits-of-call.ts';
import { chargeOf } from './meter.ts';
import { costOfCall, noteHouseCost } from './cost/cost-of-call.ts';
import type { MoneyQueue } from './hold/money-queue.ts';
import { evidenceOf } from './evidence/evidence-of-call.ts';
import type { AvailabilityBook } from './evidence/availability-book.ts';
import type { EvidenceBook } from './evidence/evidence-book.ts';
import { endCounted } from '../caller/model-rate.ts';
import type { RelayDeps, RelayMetrics, SettledCall } from '../ports.ts';
import { consumeLog, errorLog } from './record.ts';
import { serviceOf } from './price/service-of-call.ts';
import type { Held } from '../stages.ts';

type SettleDeps = Pick<RelayDeps, 'clock' | 'log' | 'modelRates' | 'houseCosts'> & {
  readonly ledger: Pick<Ledger, 'settle' | 'void'>;
  readonly metrics: Pick<RelayMetrics, 'settled' | 'charged' | 'holdClosed'>;
  readonly money: MoneyQueue;
  readonly evidence: EvidenceBook;
  readonly availability: AvailabilityBook;
};

/** What the call has cost so far, in whole units; the hold if that is more than a balance can be. */
export const unitsOf = (
  { price, heldUnits, live }: Pick<Held, 'price' | 'heldUnits' | 'live'>,
  usage: Usage,
): number => quotaAt(price, usage, serviceOf(live)) ?? heldUnits;

/** Saves what a call has cost so far. If that is lost, only the charge after a crash is less accurate. */
export const saveUnits = ({ ledger }: { readonly ledger: Pick<Ledger, 'checkpoint'> }, held: Held): void => {
  const { meter } = held.live;
  const reported = meter.reported ?? assumedUsage(held);
  const charge = chargeOf({ ...meter, reported }, held.request.facts, limitsIfLarge(held));
  if (charge.action === 'void') return;
  void ledger.checkpoint(held.call.requestId, unitsOf(held, charge.usage)).catch(() => undefined);
};

/** Closes the hold once: charges it by the rule of docs/billing.md, or gives it back. Never rejects. */
export const settle = async (deps: SettleDeps, asHeld: Held): Promise<void> => {
  const { live, call } = asHeld;
  if (live.holdState !== 'open') return;
  live.holdState = 'closed';
  const held = withWholeForm(asHeld);
  const { request } = held;
  const durationMs = deps.clock.monotonic() - held.startedMs;
  const { meter } = live;
  // Pictures and audio have no text to count.
  if (meter.produced) meter.reported ??= assumedUsage(held);
  const { facts } = request;
  const charge = chargeOf(meter, facts, limitsIfLarge(held));
  // Counted before the caller gets the answer, because its next call may follow at once.
  const isAnswered = charge.action === 'settle' && live.failure === undefined;
  if (!held.isSideCall) endCounted(deps, held, isAnswered ? 'succeeded' : 'failed');
  if (charge.action === 'void') noteHouseCost(deps, held, held.live.destination, held.live.meter);
  const evidence = charge.action === 'void' ? undefined : evidenceOf(held);
  if (evidence !== undefined) deps.evidence.note(evidence);
  notePulse(held, deps.clock.now());
  const isNothing = charge.action === 'void' && isNothingLost(held);
  if (!isNothing) {
    deps.metrics.settled(settledCall(held, charge, durationMs));
    noteAvailability(deps, held);
  }
  if (charge.action === 'settle')
    deps.money.usual.note(held.caller.user.id, facts.model, completionTokens(charge.usage) / facts.choices);
  const close =
    charge.action === 'void'
      ? giveBackWith(deps, held, durationMs)
      : chargeWith(deps, withPriceOfAnswer(held), charge.usage, durationMs);
  // Not awaited, so that the memory used up to here can be freed.
  return closeHold(deps, call.requestId, close, (outcome) => {
    deps.metrics.holdClosed();
    deps.money.release(held.caller);
    if (outcome.state === 'already_closed')
      deps.log.warn('a call ended, but others had already closed it', { requestId: call.requestId });
    if (outcome.state !== 'closed') return;
    live.chargedUnits = outcome.chargedUnits;
    live.lostUnits = outcome.houseLossUnits;
    deps.metrics.charged(outcome.chargedUnits, outcome.houseLossUnits);
  });
};

/** Counts a call for its model's availability. Side calls and calls to a channel an admin named do not count. */
const noteAvailability = (
  { availability }: Pick<SettleDeps, 'availability'>,
  { isSideCall, caller, group, request, live, createdAtMs }: Held,
): void => {
  if (isSideCall || caller.channelId !== undefined) return;
  availability.note({
    atMs: createdAtMs,
    userId: caller.user.id,
    group,
    model: request.facts.model,
    failure: live.failure,
    firstTokenMs: request.facts.stream ? live.firstByteMs : undefined,
  });
};

/** Notes cache reads and broken answers for the live board. */
const notePulse = ({ live }: Held, nowMs: number): void => {
  const { failure, firstByteMs, attempt, meter } = live;
  const reported = meter.reported;
  if (reported !== undefined && !reported.estimated)
    attempt?.pulse?.read(promptTokens(reported), reported.cacheReadTokens, nowMs);
  if (failure !== undefined && firstByteMs !== undefined && countsAgainstChannel(failure))
    attempt?.pulse?.failed(nowMs);
};

/** The usage of an answer that reports none; undefined if its text is counted. */
const assumedUsage = ({ wire, request, lateForm, live }: Held): Usage | undefined => {
  const { fields, far } = lateForm?.request ?? request;
  const reply = live.wholeReply;
  if (far === undefined) return wire.usageWithoutReport?.(fields, reply);
  const pictures = listOf(fieldsOf(reply)['data']).length;
  if (far.assumed === undefined || pictures === 0) return far.assumed?.asAsked;
  const { ofOnePicture } = far.assumed;
  return { ...ofOnePicture, imageOutputTokens: pictures * ofOnePicture.imageOutputTokens };
};

/** The rest of a form may have arrived since the hold. */
const withWholeForm = (held: Held): Held =>
  held.lateForm?.request === undefined ? held : { ...held, request: held.lateForm.request };

/** The upstream may have made more answers than were requested in fields we know. */
const withPriceOfAnswer = (held: Held): Held => {
  const { pictures, ended } = held.live.meter;
  const made = held.wire.name === 'openai-images' ? pictures : (ended?.size ?? 0);
  return made > paidAnswers(held.request.facts) ? { ...held, price: priceOfCall(held, made) } : held;
};

/** A realtime turn that never began is no failure and gets no log row. */
const isNothingLost = ({ call, isSideCall, live }: Held): boolean =>
  (call.operation === 'realtime' || isSideCall) && live.failure === undefined;

const settledCall = ({ request, group, live }: Held, charge: Charge, durationMs: number): SettledCall => ({
  model: request.facts.model,
  group,
  channelId: live.destination?.channel.id ?? 0,
  outcome: live.failure?.code ?? 'ok',
  usage: charge.action === 'void' ? undefined : charge.usage,
  durationMs,
  firstTokenMs: request.facts.stream ? live.firstByteMs : undefined,
});

const giveBackWith = (deps: SettleDeps, held: Held, durationMs: number): (() => Promise<CloseOutcome>) => {
  const log = isNothingLost(held) ? undefined : errorLog(held, durationMs);
  return () => deps.ledger.void(held.call.requestId, deps.clock.now(), log);
};

const chargeWith = (
  deps: SettleDeps,
  held: Held,
  usage: Usage,
  durationMs: number,
): (() => Promise<CloseOutcome>) => {
  const { cutBefore, rolling } = held.live;
  const heldUnits = rolling?.heldUnits ?? held.heldUnits;
  // Content that exceeds the hold was not shown, so it is not charged.
  const charged =
    cutBefore !== undefined ? usageWithin((one) => unitsOf(held, one), usage, heldUnits) : usage;
  // Exceeds the hold only if the prompt alone costs more. The ledger then takes what is available and records the
  // rest as a loss.
  const quotaUnits = unitsOf(held, charged);
  // An estimate, until the ledger reports how much was really available.
  held.live.chargedUnits = Math.min(quotaUnits, heldUnits);
  held.live.lostUnits = quotaUnits - held.live.chargedUnits;
  const cost = costOfCall(held, usage);
  const savedUnits = savedByCaches(charged, quotaUnits, (one) => unitsOf(held, one));
  const log: CallLog = consumeLog(held, { usage: charged, quotaUnits, durationMs, ...cost, savedUnits });
  const id = held.call.requestId;
  const writeLog = held.routing.options.LogConsumeEnabled;
  return () => deps.ledger.settle({ id, quotaUnits, nowMs: deps.clock.now(), log, writeLog });
};
