import type { z } from 'zod';
import type { self, sessionUser } from '#contract/api/session.ts';
import type { user } from '#contract/api/users.ts';
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

/** A user as an admin sees it. */
export const userWire = (account: User): z.infer<typeof user> => ({
  ...selfWire(account),
  DeletedAt: account.deletedAtMs === null ? null : new Date(account.deletedAtMs).toISOString(),
});
