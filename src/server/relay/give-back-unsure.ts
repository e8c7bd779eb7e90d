import type { Clock } from '#core/clock.ts';
import type { Ledger } from '#core/ledger/ledger.ts';
import { unheldWait } from './unheld-wait.ts';

/** A hold of unknown fate is asked after more than once: what was on its way may be committed late. */
const LOOKS = 3;
const LOOK_AGAIN_AFTER_MS = 5000;

/** Per ledger: the calls whose holds are of unknown fate, and how often each was looked for. */
const unsure = new WeakMap<Pick<Ledger, 'void'>, Map<string, number>>();

/** One after the other, and no further once the database turns out to be away still. */
const giveBackAll = async (
  ledger: Pick<Ledger, 'void'>,
  clock: Clock,
  looked: Map<string, number>,
): Promise<void> => {
  for (const [id, looks] of looked) {
    try {
      const { state } = await ledger.void(id, clock.now());
      if (state === 'missing' && looks + 1 < LOOKS) looked.set(id, looks + 1);
      else looked.delete(id);
    } catch {
      return;
    }
  }
};

/**
 * Gives back a hold of which nobody knows whether it was made: the database went away in the middle of it. The call was
 * refused, so nothing may stay held. Never rejects.
 */
export const giveBackUnsure = async (
  { ledger, clock }: { readonly ledger: Pick<Ledger, 'void'>; readonly clock: Clock },
  requestId: string,
): Promise<void> => {
  const others = unsure.get(ledger);
  if (others !== undefined) {
    others.set(requestId, 0);
    return;
  }
  const looked = new Map([[requestId, 0]]);
  unsure.set(ledger, looked);
  while (looked.size > 0) {
    await unheldWait(LOOK_AGAIN_AFTER_MS);
    await giveBackAll(ledger, clock, looked);
  }
  unsure.delete(ledger);
};
