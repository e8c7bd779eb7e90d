import type { z } from 'zod';
import type { self, sessionUser } from '#contract/api/people/session.ts';
import type { user } from '#contract/api/people/users.ts';
import { maySeeUser } from '#contract/may.ts';
import { byService } from '#contract/sign-in-services.ts';
import type { SpentAsRead } from '#core/ledger/ledger.ts';
import type { User } from '#core/user/user.ts';
import { shownSetting } from '../../../control/people/user-setting.ts';

/** What was used and held when the editor read the row that is now sent back; undefined if the usage was not sent. */
export const spentAsRead = (sent: {
  readonly used_quota?: unknown;
  readonly held_quota?: unknown;
}): SpentAsRead | undefined => {
  const usedUnits = unitsOf(sent.used_quota);
  return usedUnits === undefined ? undefined : { usedUnits, heldUnits: unitsOf(sent.held_quota) };
};

const unitsOf = (sent: unknown): number | undefined =>
  typeof sent === 'number' && Number.isSafeInteger(sent) ? sent : undefined;

/** A user in the answer to a sign-in. */
export const sessionUserWire = (account: User): z.infer<typeof sessionUser> => ({
  id: account.id,
  username: account.username,
  display_name: account.displayName,
  role: account.role,
  status: account.status,
  group: account.group,
});

/** A user as shown to themselves. */
export const selfWire = (account: User): z.infer<typeof self> => ({
  ...sessionUserWire(account),
  email: account.email,
  quota: account.quotaUnits,
  used_quota: account.usedQuotaUnits,
  held_quota: account.heldUnits,
  request_count: account.requestCount,
  aff_code: account.affCode,
  aff_count: account.affCount,
  aff_quota: account.affQuotaUnits,
  aff_history_quota: account.affHistoryQuotaUnits,
  inviter_id: account.inviterId,
  ...account.identities,
  setting: shownSetting(account),
});

/** Fields hidden from those who may not manage the account. */
const hidden = {
  email: '',
  quota: 0,
  used_quota: 0,
  held_quota: 0,
  request_count: 0,
  aff_code: '',
  aff_count: 0,
  aff_quota: 0,
  aff_history_quota: 0,
  inviter_id: 0,
  inviter_name: '',
  ...byService('field', () => ''),
  setting: '',
} as const;

/** A user as shown to this admin; `names` has the inviter's name. */
export const userWire = (
  viewer: User,
  account: User,
  names: ReadonlyMap<number, string>,
): z.infer<typeof user> => ({
  ...selfWire(account),
  inviter_name: names.get(account.inviterId) ?? '',
  ...(maySeeUser(viewer, account) ? { is_private: false } : { ...hidden, is_private: true }),
  DeletedAt: account.deletedAtMs === null ? null : new Date(account.deletedAtMs).toISOString(),
});
