import type { IdentityService } from '#core/user/identity-store.ts';
import type { UserRecord } from './schema.ts';

/** Where a user's name at a service is kept. */
export const identityColumns = {
  github: 'github_id',
  linuxdo: 'linux_do_id',
  wechat: 'wechat_id',
  telegram: 'telegram_id',
  oidc: 'oidc_id',
  discord: 'discord_id',
} as const satisfies Record<IdentityService, keyof UserRecord>;
