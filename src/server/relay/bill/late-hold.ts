import { AppError } from '#core/error.ts';
import { holdFor } from '#core/quota/estimate.ts';
import { affordOf, holdRefusal } from './hold.ts';
import type { RelayDeps } from '../ports.ts';
import type { CallerRequest } from '../request/request.ts';
import type { Held } from '../stages.ts';

/**
 * A form that goes out while it still arrives is held for what its beginning tells. Once it is whole, it is held for what it
 * really is, before its last piece goes out and an upstream could begin; where that cannot be paid, it never does.
 */
export const holdWholeForm = (deps: Pick<RelayDeps, 'ledger'>, held: Held): Held => {
  const { lateForm } = held;
  if (lateForm === undefined) return held;
  lateForm.whole = lateForm.whole.then(async () => {
    if (lateForm.request !== undefined) await growTo(deps, held, lateForm.request);
  });
  // The sender awaits it and reports the error.
  lateForm.whole.catch(() => undefined);
  return held;
};

const growTo = async (
  { ledger }: Pick<RelayDeps, 'ledger'>,
  held: Held,
  request: CallerRequest,
): Promise<void> => {
  const { price, size } = affordOf({ ...held, request }, held.price);
  const quotaUnits = holdFor(price, size);
  if (quotaUnits <= held.heldUnits) return;
  const outcome = await ledger.grow({ id: held.call.requestId, quotaUnits, leastUnits: quotaUnits });
  if (outcome.state === 'grown') held.live.grownUnits = outcome.quotaUnits;
  else if ('heldUnits' in outcome) throw holdRefusal(outcome, quotaUnits, held.routing.options);
  // Its call is over: nobody waits for it.
  else throw new AppError('internal', 'internal server error', { reason: 'hold_closed' });
};
