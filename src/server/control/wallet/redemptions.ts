import { logType, redemptionStatus } from '#contract/codes.ts';
import { REDEMPTION_KEY_LENGTH } from '#contract/limits.ts';
import { settledCode } from '#contract/text.ts';
import type { Clock, Random } from '#core/clock.ts';
import type { Ledger } from '#core/ledger/ledger.ts';
import { eventRow } from '#core/log/event-row.ts';
import { storedPhrase } from '#core/log/stored-phrase.ts';
import type { LogStore } from '#core/log/log-store.ts';
import type { Page, PageRequest } from '#core/paging.ts';
import type { RateLimiter } from '#core/limits/rate-limiter.ts';
import type { User } from '#core/user/user.ts';
import type { Vault } from '#core/secrets/vault.ts';
import type { Redemption, RedemptionChanges } from '#core/wallet/redemption.ts';
import type { RedemptionStore } from '#core/wallet/redemption-store.ts';
import { asRead } from '../as-read.ts';
import { type ChangedSince, refuseChanged, unasked } from '../changed-since.ts';
import { refuse, tooMany } from '../refuse.ts';

export interface RedemptionDeps {
  readonly redemptions: RedemptionStore;
  readonly ledger: Pick<Ledger, 'claim'>;
  readonly logs: Pick<LogStore, 'append'>;
  readonly vault: Vault;
  /** Limits wrong codes, by user. */
  readonly redeemLimit: RateLimiter;
  readonly clock: Clock;
  readonly random: Random;
}

/** A code with its key in plain text. */
export type OpenRedemption = Redemption & { readonly key: string };

/** The quota of a new code, and until when it is valid; null for ever. */
export interface RedemptionWish {
  readonly name: string;
  readonly quotaUnits: number;
  readonly expiresAtMs: number | null;
}

/** Codes that grant quota: created by admins, redeemed once. Refusals are thrown. */
export type Redemptions = ReturnType<typeof createRedemptions>;

/** Manages codes; decrypts their keys with the vault. Times are in milliseconds. */
export const createRedemptions = (deps: RedemptionDeps) => {
  const { redemptions, vault, clock } = deps;
  const open = (redemption: Redemption): OpenRedemption => ({
    ...redemption,
    key: vault.decrypt(redemption.encryptedKey, placeOf(redemption.keyMac)),
  });
  const openPage = ({ items, total }: Page<Redemption>) => ({ items: items.map(open), total });
  const refuseLate = (expiresAtMs: number | null | undefined): void => {
    if (typeof expiresAtMs === 'number' && expiresAtMs <= clock.now()) throw refuse('redemption_past');
  };

  return {
    list: async (page: PageRequest) => openPage(await redemptions.list(page)),

    search: async (text: string, page: PageRequest) => {
      const keyword = text.trim();
      return openPage(await redemptions.search({ keyword, keyMac: vault.mac(settledCode(keyword)) }, page));
    },

    async read(id: number): Promise<OpenRedemption> {
      const redemption = await redemptions.byId(id);
      if (redemption === undefined) throw refuse('redemption_missing');
      return open(redemption);
    },

    /**
     * Creates `count` codes of the same quota, all or none.
     * @returns the codes
     */
    async create(maker: User, wish: RedemptionWish, count: number): Promise<readonly string[]> {
      refuseLate(wish.expiresAtMs);
      const createdAtMs = clock.now();
      const keys = Array.from({ length: count }, () => deps.random.alphanumeric(REDEMPTION_KEY_LENGTH));
      await redemptions.create(
        keys.map((key) => {
          const keyMac = vault.mac(key);
          const encryptedKey = vault.encrypt(key, placeOf(keyMac));
          return { ...wish, userId: maker.id, keyMac, encryptedKey, createdAtMs };
        }),
      );
      await deps.logs.append({
        createdAtMs,
        type: logType.manage,
        userId: maker.id,
        username: maker.username,
        content: storedPhrase('log_codes_made', { count, name: wish.name, units: wish.quotaUnits }),
      });
      return keys;
    },

    async update(
      id: number,
      changes: RedemptionChanges,
      changedSince: ChangedSince<OpenRedemption> = unasked,
    ): Promise<OpenRedemption> {
      refuseLate(changes.expiresAtMs);
      const isChanged = (code: Redemption) => changedSince(open(code));
      return open(await asRead(() => updatedOnce(redemptions, id, changes, isChanged), 'keeps_changing'));
    },

    /** Enables or disables an unused code. */
    setStatus: async (id: number, status: number): Promise<OpenRedemption> =>
      open(await withStatus(redemptions, id, status)),

    async delete(id: number): Promise<void> {
      if (!(await redemptions.delete(id, clock.now()))) throw refuse('redemption_missing');
    },

    deleteInvalid: (): Promise<number> => redemptions.deleteInvalid(clock.now()),

    redeem: (user: User, key: string): Promise<number> => redeem(deps, user, key),
  };
};

/** One try to change a code. @returns undefined if it changed meanwhile */
const updatedOnce = async (
  redemptions: RedemptionStore,
  id: number,
  changes: RedemptionChanges,
  changedSince: ChangedSince<Redemption>,
): Promise<Redemption | undefined> => {
  const before = await redemptions.byId(id);
  if (before === undefined || before.status !== redemptionStatus.unused) throw refuse(whyUnchanged(before));
  refuseChanged(changedSince(before));
  return redemptions.update(id, changes, before);
};

/** Why an update changed nothing: the code is missing, used or disabled. */
const whyUnchanged = (code: Redemption | undefined) => {
  if (code === undefined) return 'redemption_missing';
  return code.status === redemptionStatus.disabled ? 'redemption_off' : 'redemption_used';
};

/** Nobody can mark a code as used by hand. */
const withStatus = async (redemptions: RedemptionStore, id: number, status: number): Promise<Redemption> => {
  const isUsed = status === redemptionStatus.used;
  const after = isUsed ? undefined : await redemptions.setStatus(id, status);
  if (after !== undefined) return after;
  const code = await redemptions.byId(id);
  const isAsked = isUsed && code?.status === redemptionStatus.unused;
  throw refuse(isAsked ? 'redemption_status' : whyUnchanged(code));
};

/** A code is encrypted for its own row. */
const placeOf = (keyMac: string): string => `redemption:${keyMac}`;

/**
 * Credits a code, once even if several try. Counts wrong guesses; a right one clears the count.
 * @returns the units credited
 */
const redeem = async (deps: RedemptionDeps, user: User, key: string): Promise<number> => {
  const { redemptions, ledger, vault, redeemLimit, clock } = deps;
  const { ok, retryAfterSeconds } = await redeemLimit.take(String(user.id));
  if (!ok) throw tooMany(retryAfterSeconds);
  const code = await redemptions.byKeyMac(vault.mac(key));
  if (code === undefined) throw refuse('redeem_refused');
  const nowMs = clock.now();
  const { id: userId, username } = user;
  const content = storedPhrase('log_redeemed', { id: code.id, name: code.name });
  const event = { createdAtMs: nowMs, type: logType.topUp, userId, username, content };
  const claim = {
    kind: 'redeem',
    id: code.id,
    userId,
    reason: code.name,
    nowMs,
    log: eventRow(event),
  } as const;
  const outcome = await ledger.claim(claim);
  switch (outcome.state) {
    case 'claimed':
      await redeemLimit.forget(String(user.id));
      return outcome.quotaUnits;
    case 'expired':
      throw refuse('redeem_expired');
    case 'would_overflow':
      throw refuse('quota_overflow');
    case 'missing':
    case 'taken':
    case 'user_missing':
      throw refuse('redeem_refused');
  }
};
