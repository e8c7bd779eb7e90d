import type { BackgroundResponse, BackgroundResponseStore } from '#core/kept/background-response.ts';
import type { RelayDeps } from '../ports.ts';
import { chargedRow, chargeOf, freeRow, type LastWord, readBill } from './background-bill.ts';

export type CloseDeps = Pick<RelayDeps, 'ledger' | 'clock' | 'routing' | 'metrics'> & {
  readonly backgroundResponses: BackgroundResponseStore;
};

/**
 * Charges the end of a response, or gives its hold back. The money moves first, and only once by the hold's id, so that
 * a crash in between, or somebody else who saw the end as well, changes nothing.
 */
export const closeBackground = async (
  deps: CloseDeps,
  { holdId, bill: billText }: Pick<BackgroundResponse, 'holdId' | 'bill'>,
  word: LastWord,
): Promise<void> => {
  const bill = readBill(billText);
  const nowMs = deps.clock.now();
  const charge = chargeOf(bill, word);
  if (charge.action === 'void') await deps.ledger.void(holdId, nowMs, freeRow(bill, word, nowMs));
  else {
    const { quotaUnits, log } = chargedRow(bill, word, charge.usage, nowMs);
    const writeLog = deps.routing().options.LogConsumeEnabled;
    const outcome = await deps.ledger.settle({ id: holdId, quotaUnits, nowMs, log, writeLog });
    if (outcome.state === 'closed') deps.metrics.charged(outcome.chargedUnits, outcome.houseLossUnits);
  }
  await deps.backgroundResponses.forget(holdId);
};
