import type { OptionValues } from '#contract/options.ts';
import type { Clock } from '#core/clock.ts';
import type { Ledger } from '#core/ledger/ledger.ts';
import type { Log } from '#core/logging.ts';
import type { IdentityStore } from '#core/user/identity-store.ts';
import type { UserStore } from '#core/user/user-store.ts';
import type { Vault } from '#core/vault.ts';
import type { NotifyUser } from './notify-user.ts';
import { readUserSetting } from './user-setting.ts';

/** Source: specification, constants. */
const AGAIN_AFTER_MS = 7_200_000;
/** Of one busy user the setting is looked up at most this often. */
const LOOK_EVERY_MS = 5000;
const LOOKS_KEPT = 50_000;

export interface QuotaWarningDeps {
  readonly users: Pick<UserStore, 'byId'>;
  readonly identities: Pick<IdentityStore, 'claimQuotaWarning'>;
  readonly notify: NotifyUser;
  readonly vault: Pick<Vault, 'decrypt'>;
  readonly options: () => Pick<OptionValues, 'QuotaRemindThreshold' | 'QuotaPerUnit' | 'ServerAddress'>;
  readonly clock: Clock;
  readonly log: Log;
}

/** Told of a balance after a call was charged; returns at once. */
export type WatchBalance = (userId: number, quotaUnits: number) => void;

/** Tells an owner once in two hours, from whichever node, that less is left than the owner wants to be told of. */
export const createQuotaWarnings = (deps: QuotaWarningDeps): WatchBalance => {
  const lookedAtMs = new Map<number, number>();

  const warn = async (userId: number, quotaUnits: number): Promise<void> => {
    const user = await deps.users.byId(userId);
    if (user === undefined) return;
    const { QuotaRemindThreshold, QuotaPerUnit, ServerAddress } = deps.options();
    const threshold = readUserSetting(user, deps.vault).warningUnits ?? QuotaRemindThreshold;
    if (quotaUnits >= threshold) return;
    const nowMs = deps.clock.now();
    if (!(await deps.identities.claimQuotaWarning(userId, nowMs, nowMs - AGAIN_AFTER_MS))) return;
    const left = `$${(quotaUnits / QuotaPerUnit).toFixed(4)}`;
    const where = ServerAddress === '' ? '' : ` ${ServerAddress}/topup`;
    await deps.notify(user, {
      kind: 'quota_exceed',
      title: '额度不足提醒',
      text: `您的剩余额度为 ${left}，已低于预警值，请及时充值。Your balance is ${left}, below your threshold.${where}`,
    });
  };

  return (userId, quotaUnits) => {
    const nowMs = deps.clock.monotonic();
    if (nowMs - (lookedAtMs.get(userId) ?? -LOOK_EVERY_MS) < LOOK_EVERY_MS) return;
    if (lookedAtMs.size >= LOOKS_KEPT) lookedAtMs.clear();
    lookedAtMs.set(userId, nowMs);
    void warn(userId, quotaUnits).catch((error: unknown) =>
      deps.log.warn('a quota warning was not delivered', { userId, error: String(error) }),
    );
  };
};

/** The same ledger; whoever watches hears the balance a charged call leaves. */
export const watchedLedger = (ledger: Ledger, watch: WatchBalance): Ledger => ({
  ...ledger,
  settle: async (settlement) => {
    const outcome = await ledger.settle(settlement);
    if (outcome.state === 'closed') watch(settlement.log.userId, outcome.userQuotaUnits);
    return outcome;
  },
});
