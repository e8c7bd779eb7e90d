import { logType, redemptionStatus } from '#contract/codes.ts';
import { REDEMPTION_KEY_LENGTH } from '#contract/limits.ts';
import { settledCode } from '#contract/text.ts';
import type { Clock, Random } from '#core/clock.ts';
import type { Ledger } from '#core/ledger/ledger.ts';
import { eventRow } from '#core/log/event-row.ts';
import { storedPhrase } from '#core/log/stored-phrase.ts';
import type { Log } from '#core/logging.ts';
import type { LogStore } from '#core/log/log-store.ts';
import type { Page, PageRequest } from '#core/paging.ts';
import type { RateLimiter } from '#core/limits/rate-limiter.ts';
import type { User } from '#core/user/user.ts';
import { redemptionPlace } from '#core/secrets/sealed-places.ts';
import type { Vault } from '#core/secrets/vault.ts';
import type { Redemption, RedemptionChanges } from '#core/wallet/redemption.ts';
import type { RedemptionStore } from '#core/wallet/redemption-store.ts';
import { asRead } from '../as-read.ts';
import { type ChangedSince, refuseChanged, unasked } from '../changed-since.ts';
import { logAction } from '../log-action.ts';
import { openedOrTold } from '../open-sealed.ts';
import { refuse, countOrRefuse } from '../refuse.ts';

export interface RedemptionDeps {
  readonly redemptions: RedemptionStore;
  readonly ledger: Pick<Ledger, 'claim'>;
  readonly logs: Pick<LogStore, 'append'>;
  readonly vault: Vault;
  /** Limits wrong codes, by user. */
  readonly redeemLimit: RateLimiter;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Pick<Log, 'error'>;
}

/** A code with its key in plain text; it is empty if it cannot be decrypted. */
export type OpenRedemption = Redemption & { readonly key: string };

/** The quota of a new code, and until when it is valid; null for ever. */
export interface RedemptionWish {
  readonly name: string;
  readonly quotaUnits: number;
  readonly expiresAtMs: number | null;
}

const refuseLate = (clock: Clock, expiresAtMs: number | null | undefined): void => {
  if (typeof expiresAtMs === 'number' && expiresAtMs <= clock.now()) throw refuse('redemption_past');
};

/** Codes that grant quota: created by admins, redeemed once. Refusals are thrown. */
export type Redemptions = ReturnType<typeof createRedemptions>;

/** Manages codes; decrypts their keys with the vault. Times are in milliseconds. */
export const createRedemptions = (deps: RedemptionDeps) => {
  const { redemptions, vault, clock } = deps;
  const open = (redemption: Redemption): OpenRedemption => {
    const { id, encryptedKey: sealed, keyMac } = redemption;
    const text = { sealed, place: redemptionPlace(keyMac), row: `redemption code ${id}` };
    return { ...redemption, key: openedOrTold(deps, text) ?? '' };
  };
  const openPage = ({ items, total }: Page<Redemption>) => ({ items: items.map(open), total });

  return {
    list: async (page: PageRequest, isInvalid = false) =>
      openPage(await redemptions.list(page, isInvalid ? clock.now() : undefined)),

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
      refuseLate(clock, wish.expiresAtMs);
      const createdAtMs = clock.now();
      const keys = Array.from({ length: count }, () => deps.random.alphanumeric(REDEMPTION_KEY_LENGTH));
      await redemptions.create(
        keys.map((key) => {
          const keyMac = vault.mac(key);
          const encryptedKey = vault.encrypt(key, redemptionPlace(keyMac));
          return { ...wish, userId: maker.id, keyMac, encryptedKey, createdAtMs };
        }),
      );
      const made = { count, name: wish.name, units: wish.quotaUnits };
      await logAction(deps, maker, storedPhrase('log_codes_made', made));
      return keys;
    },

    ...changesByAdmins(deps, open),

    redeem: (user: User, key: string): Promise<number> => redeem(deps, user, key),
  };
};

/** Changes to codes that are made already, each in the log under the name of who made it. */
const changesByAdmins = (deps: RedemptionDeps, open: (redemption: Redemption) => OpenRedemption) => {
  const { redemptions, clock } = deps;
  return {
    async update(
      actor: User,
      id: number,
      changes: RedemptionChanges,
      changedSince: ChangedSince<OpenRedemption> = unasked,
    ): Promise<OpenRedemption> {
      const isChanged = (code: Redemption) => changedSince(open(code));
      const { before, after } = await asRead(
        () => updatedOnce(deps, id, changes, isChanged),
        'keeps_changing',
      );
      const fields = changedFields(before, after);
      if (fields !== '')
        await logAction(deps, actor, storedPhrase('log_code_changed', { id, name: before.name, fields }));
      if (changes.isOff === true) await logSwitched(deps, actor, after);
      return open(after);
    },

    /** Enables or disables an unused code. */
    async setStatus(actor: User, id: number, status: number): Promise<OpenRedemption> {
      const code = await withStatus(redemptions, id, status);
      await logSwitched(deps, actor, code);
      return open(code);
    },

    async delete(actor: User, id: number): Promise<void> {
      const code = await redemptions.byId(id);
      if (code === undefined || !(await redemptions.delete(id, clock.now())))
        throw refuse('redemption_missing');
      await logAction(deps, actor, storedPhrase('log_code_deleted', { id, name: code.name }));
    },

    async deleteInvalid(actor: User): Promise<number> {
      const count = await redemptions.deleteInvalid(clock.now());
      await logAction(deps, actor, storedPhrase('log_codes_cleared', { count }));
      return count;
    },
  };
};

const logSwitched = (deps: RedemptionDeps, actor: User, { id, name, status }: Redemption): Promise<void> => {
  const key = status === redemptionStatus.unused ? 'log_code_on' : 'log_code_off';
  return logAction(deps, actor, storedPhrase(key, { id, name }));
};

/** One try to change a code. @returns undefined if it changed meanwhile */
const updatedOnce = async (
  { redemptions, clock }: Pick<RedemptionDeps, 'redemptions' | 'clock'>,
  id: number,
  changes: RedemptionChanges,
  changedSince: ChangedSince<Redemption>,
): Promise<{ readonly before: Redemption; readonly after: Redemption } | undefined> => {
  const before = await redemptions.byId(id);
  if (before === undefined || before.status !== redemptionStatus.unused) throw refuse(whyUnchanged(before));
  refuseChanged(changedSince(before));
  // The expiry of an expired code may be sent back with its other fields.
  if (changes.expiresAtMs !== before.expiresAtMs) refuseLate(clock, changes.expiresAtMs);
  const after = await redemptions.update(id, changes, before);
  return after && { before, after };
};

/** `quota: 500 → 700, expires: never → 2027-01-01T00:00:00.000Z` */
const changedFields = (before: Redemption, after: Redemption): string => {
  const shown = ({ name, quotaUnits, expiresAtMs }: Redemption) => ({
    name,
    quota: String(quotaUnits),
    expires: expiresAtMs === null ? 'never' : new Date(expiresAtMs).toISOString(),
  });
  const [from, to] = [shown(before), shown(after)];
  return (['name', 'quota', 'expires'] as const)
    .filter((field) => from[field] !== to[field])
    .map((field) => `${field}: ${from[field]} → ${to[field]}`)
    .join(', ');
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

/**
 * Credits a code, once even if several try. Counts wrong guesses; a right one clears the count.
 * @returns the units credited
 */
const redeem = async (deps: RedemptionDeps, user: User, key: string): Promise<number> => {
  const { redemptions, ledger, vault, redeemLimit, clock } = deps;
  await countOrRefuse(redeemLimit, String(user.id));
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
