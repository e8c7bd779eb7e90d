import { noUsage, type Usage } from '#core/chat/usage.ts';
import { chargeOf, type Meter, newMeter } from './meter.ts';
import { addHouseCost, noteHouseCost, unpaidUsage } from './cost-of-call.ts';
import type { LiveAttempt } from '../live-attempt.ts';
import type { RelayDeps } from '../ports.ts';
import type { Admitted, Given } from '../stages.ts';

/**
 * Lets go of an attempt that ran while another was preferred, with its answer if one came. What it used is a cost of the
 * house: as its upstream told, else as counted; an upstream that told nothing has read the prompt at least.
 */
export const dropAnswer = (
  deps: Pick<RelayDeps, 'houseCosts' | 'log'>,
  call: Admitted,
  attempt: LiveAttempt,
  given: Given | undefined,
): void => {
  if (given !== undefined && given.answer.kind !== 'whole') given.answer.discard();
  const { trial, meter: counted, isRacing, givenUp, isSent } = attempt;
  const meter = given?.answer.meter ?? counted ?? newMeter();
  // Of one that was ended from outside, what was told is counted where it was heard.
  if (givenUp === undefined) {
    if (given !== undefined) noteHouseCost(deps, call, trial, meter);
    return;
  }
  if (!isSent) return;
  const usage = usageOf(meter, call.request.facts.inputTokensEstimate);
  addHouseCost(deps, call, trial, { kind: isRacing ? 'hedge' : 'attempt', meter, usage });
};

const usageOf = (meter: Meter, inputTokensEstimate: number): Usage => {
  const reported = unpaidUsage(meter);
  if (reported !== undefined) return reported;
  const charge = chargeOf(meter, inputTokensEstimate);
  return charge.action === 'settle'
    ? charge.usage
    : { ...noUsage, inputTokens: inputTokensEstimate, estimated: true };
};
