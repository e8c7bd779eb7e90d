import type { z } from 'zod';
import type { self, sessionUser } from '#contract/api/session.ts';
import type { user } from '#contract/api/users.ts';
import { maySeeUser } from '#contract/may.ts';
import type { User } from '#core/user/user.ts';
import { shownSetting } from '../../control/user-setting.ts';

/** A user as login answers it. */
export const sessionUserWire = (account: User): z.infer<typeof sessionUser> => ({
  id: account.id,
  username: account.username,
  display_name: account.displayName,
  role: account.role,
  status: account.status,
  group: account.group,
});

/** A user as it sees itself. */
export const selfWire = (account: User): z.infer<typeof self> => ({
  ...sessionUserWire(account),
  email: account.email,
  quota: account.quotaUnits,
  used_quota: account.usedQuotaUnits,
  request_count: account.requestCount,
  aff_code: account.affCode,
  aff_count: account.affCount,
  aff_quota: account.affQuotaUnits,
  aff_history_quota: account.affHistoryQuotaUnits,
  inviter_id: account.inviterId,
  github_id: account.githubId,
  wechat_id: account.wechatId,
  telegram_id: account.telegramId,
  linux_do_id: account.linuxDoId,
  oidc_id: account.oidcId,
  discord_id: account.discordId,
  setting: shownSetting(account),
});

/** What an account does not show to those who may not act on it. */
const hidden = {
  email: '',
  quota: 0,
  used_quota: 0,
  request_count: 0,
  aff_code: '',
  aff_count: 0,
  aff_quota: 0,
  aff_history_quota: 0,
  inviter_id: 0,
  github_id: '',
  wechat_id: '',
  telegram_id: '',
  linux_do_id: '',
  oidc_id: '',
  discord_id: '',
  setting: '',
} as const;

/** A user as this admin sees it. */
export const userWire = (viewer: User, account: User): z.infer<typeof user> => ({
  ...selfWire(account),
  ...(maySeeUser(viewer, account) ? { is_private: false } : { ...hidden, is_private: true }),
  DeletedAt: account.deletedAtMs === null ? null : new Date(account.deletedAtMs).toISOString(),
});
