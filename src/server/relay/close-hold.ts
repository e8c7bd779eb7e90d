import type { Clock } from '#core/clock.ts';
import type { CloseOutcome, Ledger } from '#core/ledger/ledger.ts';
import type { RelayDeps } from './ports.ts';

/** The first wait after a try that failed, and all others. */
const SOON_AFTER_MS = 200;
const AGAIN_AFTER_MS = 2000;
/** As often it is tried while the caller of a whole reply waits, too: for about half a minute. */
const TRIES_WAITED_FOR = 15;
/** From then on nobody waits; what a call cost is written down whenever the database is back. */
const LATER_AGAIN_AFTER_MS = 10_000;
/** A hold of unknown fate is asked after more than once: what was on its way may be committed late. */
const LOOKS = 3;
const LOOK_AGAIN_AFTER_MS = 5000;

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
  let failures = 0;
  const attempt = async (): Promise<boolean> => {
    try {
      done(await close());
      return true;
    } catch (cause) {
      failures += 1;
      if (failures === 1) log.error('a hold could not be closed yet', { requestId, cause: String(cause) });
      return false;
    }
  };
  const goOn = async (): Promise<void> => {
    do await after(LATER_AGAIN_AFTER_MS);
    while (!(await attempt()));
  };

  if (await attempt()) return;
  while (failures < TRIES_WAITED_FOR) {
    await after(failures === 1 ? SOON_AFTER_MS : AGAIN_AFTER_MS);
    if (await attempt()) return;
  }
  void goOn();
};

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
    await after(LOOK_AGAIN_AFTER_MS);
    await giveBackAll(ledger, clock, looked);
  }
  unsure.delete(ledger);
};
