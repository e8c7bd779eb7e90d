import type { CloseOutcome, Ledger } from '#core/ledger/ledger.ts';
import type { RelayDeps } from '../../ports.ts';
import type { Clock } from '#core/clock.ts';

/** The wait after the first failed try, and after all later ones. */
const SOON_AFTER_MS = 200;
const AGAIN_AFTER_MS = 2000;
/** The caller of a whole reply waits for this many tries: about half a minute. */
const TRIES_WAITED_FOR = 15;
/** The pause between later tries, for which no caller waits: the cost is recorded as soon as the database is back. */
const LATER_AGAIN_AFTER_MS = 10_000;

type CloseDeps = Pick<RelayDeps, 'log'>;

/**
 * Closes a hold even if the database is down for a while. The ledger is idempotent by id, so a failed close is simply
 * retried. `done` is called once the close is written. Resolves then, or when waiting is no longer useful while retries
 * continue in the background. If the process ends first, the crash rule settles the open hold.
 */
export const closeHold = async (
  deps: CloseDeps,
  requestId: string,
  close: () => Promise<CloseOutcome>,
  done: (outcome: CloseOutcome) => void,
): Promise<void> => {
  try {
    done(await close());
  } catch (error) {
    deps.log.error('a hold could not be closed yet', { requestId, error });
    await writeAgain(async () => done(await close()));
  }
};

/**
 * Retries a write that must not be lost, like `closeHold`. `write` may run again although it has succeeded. Never
 * rejects.
 */
export const writeUntilDone = async (
  deps: CloseDeps,
  requestId: string,
  problem: string,
  write: () => Promise<unknown>,
): Promise<void> => {
  try {
    await write();
  } catch (error) {
    deps.log.error(problem, { requestId, error });
    await writeAgain(write);
  }
};

/** Retries a write that has failed once. */
const writeAgain = async (write: () => Promise<unknown>): Promise<void> => {
  const attempt = async (): Promise<boolean> => {
    try {
      await write();
      return true;
    } catch {
      return false;
    }
  };
  const keepTrying = async (): Promise<void> => {
    do await waitUnref(LATER_AGAIN_AFTER_MS);
    while (!(await attempt()));
  };
  for (let failures = 1; failures < TRIES_WAITED_FOR; failures += 1) {
    await waitUnref(failures === 1 ? SOON_AFTER_MS : AGAIN_AFTER_MS);
    if (await attempt()) return;
  }
  void keepTrying();
};

/** Waits without keeping the process alive. */
const waitUnref = (waitMs: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, waitMs).unref();
  });

/** A hold that may or may not exist is looked up several times: a statement in flight may be committed late. */
const LOOKS = 3;
const LOOK_AGAIN_AFTER_MS = 5000;

/** Per ledger: the calls whose holds may or may not exist, and how often each was looked up. */
const unsure = new WeakMap<Pick<Ledger, 'void'>, Map<string, number>>();

/** Voids one after the other; stops if the database is still down. */
const voidAll = async (
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
 * Gives back a hold that may or may not have been made, because the database connection was lost meanwhile. The call
 * was refused, so nothing may stay held. Never rejects.
 */
export const voidUnsureHold = async (
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
    await waitUnref(LOOK_AGAIN_AFTER_MS);
    await voidAll(ledger, clock, looked);
  }
  unsure.delete(ledger);
};
