import type { CloseOutcome } from '#core/ledger/ledger.ts';
import type { CallLog } from '#core/log/log.ts';
import type { Usage } from '#core/chat/usage.ts';
import type { Charge } from '#core/quota/charge.ts';
import { quotaOf } from '#core/quota/price.ts';
import { closeHold } from './close-hold.ts';
import { priceOfCall } from './hold.ts';
import { chargeOf } from './meter.ts';
import { endCounted } from './model-rate.ts';
import type { RelayDeps, SettledCall } from './ports.ts';
import { consumeLog, errorLog } from './record.ts';
import { known, type Running } from './running.ts';

type SettleDeps = Pick<RelayDeps, 'ledger' | 'clock' | 'metrics' | 'log' | 'modelRates'>;

/** What the call has cost as far as it has come, in whole units; its hold where that is more than a balance can be. */
export const unitsOf = (running: Running, usage: Usage): number =>
  quotaOf(known(running.price, 'hold'), usage) ?? running.heldUnits;

/** Closes the hold, once: charged by the rule of docs/billing.md, or given back. Never rejects. */
export const settle = async (deps: SettleDeps, running: Running): Promise<void> => {
  if (running.holdState !== 'open') return;
  running.holdState = 'closed';
  const durationMs = deps.clock.monotonic() - running.startedMs;
  const { facts, told } = known(running.asked, 'read');
  const { meter, wire } = running;
  // Of pictures and sound there is no text that could be counted.
  if (meter.produced) meter.reported ??= wire.usageWithoutReport?.(told, running.reply);
  // Pictures nobody asked for in a word that is known here were drawn all the same.
  if (wire.name === 'openai-images' && meter.pictures > facts.choices)
    running.price = priceOfCall(running, meter.pictures);
  const charge = chargeOf(meter, facts.inputTokensEstimate);
  // Before the caller knows: its next call may come at once.
  if (!running.isBeside)
    endCounted(deps, running, charge.action === 'settle' && running.failure === undefined);
  const isNothing = charge.action === 'void' && isNothingLost(running);
  if (!isNothing) deps.metrics.settled(settledCall(running, charge, durationMs));
  const writeLog = running.routing.options.LogConsumeEnabled;
  const close =
    charge.action === 'void'
      ? giveBackWith(deps, running, durationMs)
      : chargeWith(deps, running, charge.usage, durationMs, writeLog);
  await closeHold(deps, running.call.requestId, close, (outcome) => {
    deps.metrics.holdClosed();
    if (outcome.state === 'already_closed')
      deps.log.warn('a call ended that others had closed', { requestId: running.call.requestId });
    if (outcome.state === 'closed') deps.metrics.charged(outcome.chargedUnits, outcome.houseLossUnits);
  });
};

/** A turn of a conversation that never began is no failure, and nobody's row. */
const isNothingLost = ({ call, isBeside, failure }: Running): boolean =>
  (call.operation === 'realtime' || isBeside) && failure === undefined;

const settledCall = (running: Running, charge: Charge, durationMs: number): SettledCall => {
  const { facts } = known(running.asked, 'read');
  return {
    model: facts.model,
    group: running.group,
    channelId: running.channel?.id ?? 0,
    outcome: running.failure?.code ?? 'ok',
    usage: charge.action === 'void' ? undefined : charge.usage,
    durationMs,
    firstTokenMs: facts.stream ? running.firstByteMs : undefined,
  };
};

const giveBackWith = (
  deps: SettleDeps,
  running: Running,
  durationMs: number,
): (() => Promise<CloseOutcome>) => {
  const log = isNothingLost(running) ? undefined : errorLog(running, durationMs);
  return () => deps.ledger.void(running.call.requestId, deps.clock.now(), log);
};

const chargeWith = (
  deps: SettleDeps,
  running: Running,
  usage: Usage,
  durationMs: number,
  writeLog: boolean,
): (() => Promise<CloseOutcome>) => {
  const quotaUnits = unitsOf(running, usage);
  const log: CallLog = consumeLog(running, { usage, quotaUnits, durationMs });
  const id = running.call.requestId;
  return () => deps.ledger.settle({ id, quotaUnits, nowMs: deps.clock.now(), log, writeLog });
};
