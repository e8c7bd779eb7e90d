import { AppError } from '#core/error.ts';
import { holdFor } from '#core/quota/estimate.ts';
import { affordOf } from './afford-of-call.ts';
import { holdRefusal } from './hold-refusal.ts';
import type { RelayDeps } from '../../ports.ts';
import type { CallerRequest } from '../../request/request.ts';
import type { Held } from '../../stages.ts';

/**
 * Holds for a form that is sent upstream while it still arrives. The first hold covers what the beginning of the form
 * says. Once the form is complete, the hold grows to its real cost before the last piece is sent; if that cannot be
 * paid, the last piece is never sent, so that no upstream starts work.
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

const growTo = async (deps: Pick<RelayDeps, 'ledger'>, held: Held, request: CallerRequest): Promise<void> => {
  const { price, size } = affordOf({ ...held, request }, held.price);
  await growHold(deps, held, holdFor(price, size));
};

/** Makes an open hold as large as this. Throws if that cannot be paid. */
export const growHold = async (
  { ledger }: Pick<RelayDeps, 'ledger'>,
  held: Held,
  quotaUnits: number,
): Promise<void> => {
  if (quotaUnits <= held.heldUnits) return;
  const outcome = await ledger.grow({ id: held.call.requestId, quotaUnits, leastUnits: quotaUnits });
  if (outcome.state === 'grown') held.live.grownUnits = outcome.quotaUnits;
  else if ('heldUnits' in outcome) throw holdRefusal(outcome, quotaUnits, held.routing.options);
  // The hold is closed, so the call is over and nobody sees this error.
  else throw new AppError('internal', 'internal server error', { reason: 'hold_closed' });
};
