import { noUsage, type Usage } from '#core/chat/usage.ts';
import { type AskedFacts, chargeOf, type Meter, newMeter, note } from './meter.ts';
import { addHouseCost, noteHouseCost, type PaidDestination, unpaidUsage } from './cost/cost-of-call.ts';
import { mayBeCharged } from '#core/channel/health/retry.ts';
import type { AppError } from '#core/error.ts';
import type { LiveAttempt } from '../live-attempt.ts';
import type { RelayDeps } from '../ports.ts';
import type { Admitted, Given } from '../stages.ts';

/**
 * Discards an attempt that lost against another, with its answer if there is one. Its usage becomes a cost of the
 * operator: as reported, else as counted, else the prompt alone.
 */
export const dropAnswer = (
  deps: Pick<RelayDeps, 'houseCosts' | 'log'>,
  call: Admitted,
  attempt: LiveAttempt,
  given: Given | undefined,
): void => {
  if (given !== undefined && given.answer.kind !== 'whole') given.answer.discard();
  const { destination, meter: counted, isRacing, givenUp, isSent } = attempt;
  const meter = given?.answer.meter ?? counted ?? meterOfUnfinished(attempt);
  // This attempt was not stopped. If it failed, its cost is recorded already; if it answered, it is not.
  if (givenUp === undefined && given !== undefined) return noteHouseCost(deps, call, destination, meter);
  if (givenUp === undefined && counted && unpaidUsage(counted, call.request.facts) !== undefined) return;
  if (!isSent) return;
  const usage = usageOf(meter, call.request.facts);
  addHouseCost(deps, call, destination, { kind: isRacing ? 'hedge' : 'attempt', meter, usage });
};

/**
 * Notes the cost of a failed attempt. Unless the upstream refused the call, it may have executed it and charge for
 * it: what was counted becomes a cost of the operator, else the prompt alone. So too if a part of several was refused.
 */
export const noteFailedAttempt = (
  deps: Pick<RelayDeps, 'houseCosts' | 'log'>,
  call: Admitted,
  attempt: LiveAttempt,
  error: AppError,
): void => {
  const isRefused = error.upstream !== undefined && !mayBeCharged(error);
  if (attempt.unfinished !== undefined || (!isRefused && !error.isUnsent))
    dropAnswer(deps, call, attempt, undefined);
};

const meterOfUnfinished = ({ unfinished, destination: { sentAs } }: LiveAttempt): Meter => {
  const meter = newMeter();
  if (unfinished !== undefined && sentAs !== undefined) note(meter, sentAs.format.tapWhole(unfinished));
  return meter;
};

/** Notes the cost of a whole answer that cannot be given to its caller. */
export const noteLostAnswer = (
  deps: Pick<RelayDeps, 'houseCosts' | 'log'>,
  call: Admitted & PaidDestination,
  meter: Meter,
): void => {
  const usage = usageOf(meter, call.request.facts);
  addHouseCost(deps, call, call, { kind: 'attempt', meter, usage });
};

const usageOf = (meter: Meter, facts: AskedFacts): Usage => {
  const reported = unpaidUsage(meter, facts);
  if (reported !== undefined) return reported;
  const charge = chargeOf(meter, facts);
  return charge.action === 'settle'
    ? charge.usage
    : { ...noUsage, inputTokens: facts.inputTokensEstimate, estimated: true };
};
