import type { CloseOutcome } from '#core/ledger/ledger.ts';
import type { RelayDeps } from './ports.ts';
import { unheldWait } from './unheld-wait.ts';

/** The first wait after a try that failed, and all others. */
const SOON_AFTER_MS = 200;
const AGAIN_AFTER_MS = 2000;
/** As often it is tried while the caller of a whole reply waits, too: for about half a minute. */
const TRIES_WAITED_FOR = 15;
/** From then on nobody waits; what a call cost is written down whenever the database is back. */
const LATER_AGAIN_AFTER_MS = 10_000;

type CloseDeps = Pick<RelayDeps, 'log'>;

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
    do await unheldWait(LATER_AGAIN_AFTER_MS);
    while (!(await attempt()));
  };

  if (await attempt()) return;
  while (failures < TRIES_WAITED_FOR) {
    await unheldWait(failures === 1 ? SOON_AFTER_MS : AGAIN_AFTER_MS);
    if (await attempt()) return;
  }
  void goOn();
};
