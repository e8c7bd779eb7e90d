import type { OptionValues } from '#contract/options.ts';
import type { Clock } from '#core/clock.ts';
import type { Ledger } from '#core/ledger/ledger.ts';
import { shownQuota } from '#core/quota/shown-quota.ts';
import type { Log } from '#core/logging.ts';
import type { IdentityStore } from '#core/user/identity-store.ts';
import type { User } from '#core/user/user.ts';
import type { UserStore } from '#core/user/user-store.ts';
import type { NotifyUser } from '../people/notify-user.ts';
import { readUserSetting } from '../people/user-setting.ts';

/** Source: specification, constants. */
const AGAIN_AFTER_MS = 7_200_000;
/** The settings of a busy user are read at most this often; balances in between wait for the next check. */
export const LOOK_EVERY_MS = 5000;
/** A failed delivery is retried after this long, and so many times in all. */
const RETRY_AFTER_MS = 60_000;
const TRIES_MAX = 3;
const LOOKS_KEPT = 50_000;

export interface QuotaWarningDeps {
  readonly users: Pick<UserStore, 'byId'>;
  readonly identities: Pick<IdentityStore, 'claimQuotaWarning' | 'releaseQuotaWarning'>;
  readonly notify: NotifyUser;
  readonly options: () => Pick<
    OptionValues,
    'QuotaRemindThreshold' | 'DisplayInCurrencyEnabled' | 'QuotaPerUnit' | 'ServerAddress'
  >;
  readonly clock: Clock;
  readonly log: Log;
}

/** Reports a balance after a charge, with what running calls hold; returns at once. */
export type WatchBalance = (userId: number, quotaUnits: number) => void;

/** A balance that is yet to be checked. */
interface Waiting {
  readonly quotaUnits: number;
  readonly notBeforeMs: number;
  readonly failedTries: number;
}

/**
 * Warns owners whose balance is below their threshold, once in two hours across all nodes. A balance reported soon
 * after a check of the same owner waits for `lookAtWaiting`; only the newest waits.
 */
export const createQuotaWarnings = (deps: QuotaWarningDeps) => {
  const lookedAtMs = new Map<number, number>();
  const waiting = new Map<number, Waiting>();
  const running = new Set<Promise<void>>();

  const look = (userId: number, quotaUnits: number, failedTries: number): void => {
    if (lookedAtMs.size >= LOOKS_KEPT) lookedAtMs.clear();
    lookedAtMs.set(userId, deps.clock.monotonic());
    const run = warn(deps, userId, quotaUnits)
      .catch((error: unknown) => {
        const tries = failedTries + 1;
        deps.log.warn('a quota warning was not delivered', { userId, tries, error: String(error) });
        if (tries >= TRIES_MAX || waiting.has(userId)) return;
        const notBeforeMs = deps.clock.monotonic() + RETRY_AFTER_MS;
        waiting.set(userId, { quotaUnits, notBeforeMs, failedTries: tries });
      })
      .finally(() => running.delete(run));
    running.add(run);
  };

  const watch: WatchBalance = (userId, quotaUnits) => {
    const nextMs = (lookedAtMs.get(userId) ?? -LOOK_EVERY_MS) + LOOK_EVERY_MS;
    const before = waiting.get(userId);
    if (before === undefined && deps.clock.monotonic() >= nextMs) look(userId, quotaUnits, 0);
    else waiting.set(userId, { notBeforeMs: nextMs, failedTries: 0, ...before, quotaUnits });
  };

  const lookAt = (isDue: (entry: Waiting) => boolean): Promise<unknown> => {
    for (const [userId, entry] of waiting) {
      if (!isDue(entry)) continue;
      waiting.delete(userId);
      look(userId, entry.quotaUnits, entry.failedTries);
    }
    return Promise.all(running);
  };

  return {
    watch,
    /** Checks the waiting balances that are due. Resolves when their owners are notified; never rejects. */
    async lookAtWaiting(): Promise<void> {
      const nowMs = deps.clock.monotonic();
      await lookAt(({ notBeforeMs }) => nowMs >= notBeforeMs);
    },
    /** Checks all waiting balances, before the server stops. */
    async end(): Promise<void> {
      await lookAt(() => true);
    },
  };
};

const warn = async (deps: QuotaWarningDeps, userId: number, quotaUnits: number): Promise<void> => {
  const user = await deps.users.byId(userId);
  if (user === undefined) return;
  const threshold = readUserSetting(user.setting).warningUnits ?? deps.options().QuotaRemindThreshold;
  if (quotaUnits >= threshold) return;
  const nowMs = deps.clock.now();
  if (!(await deps.identities.claimQuotaWarning(userId, nowMs, nowMs - AGAIN_AFTER_MS))) return;
  try {
    await tell(deps, user, quotaUnits);
  } catch (error) {
    // Nobody was notified, so the next check may try again.
    await deps.identities.releaseQuotaWarning(userId, nowMs);
    throw error;
  }
};

const tell = (deps: QuotaWarningDeps, user: User, quotaUnits: number): Promise<void> => {
  const options = deps.options();
  const values = {
    left: shownQuota(quotaUnits, options),
    where: options.ServerAddress === '' ? '' : ` ${options.ServerAddress}/topup`,
  };
  return deps.notify(user, {
    kind: 'quota_exceed',
    title: { key: 'notice_quota_title' },
    text: { key: 'notice_quota_text', values },
  });
};

/**
 * The same ledger, but reports the balance after each charge. What other calls hold counts as left: it is the most that they
 * may cost, and a warning that it causes would keep back the one that is due later.
 */
export const watchedLedger = (ledger: Ledger, watch: WatchBalance): Ledger => ({
  ...ledger,
  settle: (settlement) =>
    ledger.settle(settlement).then((outcome) => {
      if (outcome.state === 'closed')
        watch(settlement.log.userId, outcome.userQuotaUnits + outcome.userHeldUnits);
      return outcome;
    }),
});
