import type { Clock } from '#core/clock.ts';
import type { CloseOutcome, Ledger } from '#core/ledger/ledger.ts';
import type { RelayDeps } from './ports.ts';

/** Waits between tries while the caller of a whole reply waits, too. */
const AGAIN_AFTER_MS = [200, 1000, 5000, 20_000] as const;
/** From then on nobody waits; what a call cost is written down whenever the database is back. */
const LATER_AGAIN_AFTER_MS = 20_000;
/** A hold of unknown fate is asked after more than once: what was on its way may be committed late. */
const LOOKS = 3;

type CloseDeps = Pick<RelayDeps, 'log'>;

const after = (waitMs: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, waitMs).unref();
  });

/**
 * Closes a hold although the database is away for a while: the ledger is idempotent by id, so a close that failed is
 * tried again as it is. `done` is called once, when it was written. Resolves then, or when waiting makes no sense any
 * more; further tries go on behind. A process that ends before leaves the open hold to the crash rule.
 */
export const closeHold = async (
  { log }: CloseDeps,
  requestId: string,
  close: () => Promise<CloseOutcome>,
  done: (outcome: CloseOutcome) => void,
): Promise<void> => {
  const attempt = async (): Promise<boolean> => {
    try {
      done(await close());
      return true;
    } catch (cause) {
      log.error('a hold could not be closed', { requestId, cause: String(cause) });
      return false;
    }
  };
  const goOn = async (): Promise<void> => {
    do await after(LATER_AGAIN_AFTER_MS);
    while (!(await attempt()));
  };

  if (await attempt()) return;
  for (const waitMs of AGAIN_AFTER_MS) {
    await after(waitMs);
    if (await attempt()) return;
  }
  void goOn();
};

/**
 * Gives back a hold of which nobody knows whether it was made: the database went away in the middle of it. The call was
 * refused, so nothing may stay held.
 */
export const giveBackUnsure = async (
  { ledger, clock }: { readonly ledger: Pick<Ledger, 'void'>; readonly clock: Clock },
  requestId: string,
): Promise<void> => {
  for (let looks = 0; looks < LOOKS;) {
    await after(AGAIN_AFTER_MS[2]);
    try {
      const { state } = await ledger.void(requestId, clock.now());
      if (state !== 'missing') return;
      looks += 1;
    } catch {
      // Still away: nothing was learnt.
    }
  }
};
