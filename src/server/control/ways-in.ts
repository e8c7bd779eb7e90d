import { isRoot } from '#contract/may.ts';
import type { OptionValues } from '#contract/options.ts';
import type { IdentityService } from '#core/user/identity-store.ts';
import type { PasskeyStore } from '#core/user/passkey-store.ts';
import type { UserStore } from '#core/user/user-store.ts';
import type { User } from '#core/user/user.ts';

export interface WaysInDeps {
  readonly users: Pick<UserStore, 'passwordHashOf'>;
  readonly passkeys: Pick<PasskeyStore, 'listOf'>;
  readonly options: () => OptionValues;
}

export const isServiceOn = (options: OptionValues, service: IdentityService): boolean =>
  ({
    github: options.GitHubOAuthEnabled,
    linuxdo: options.LinuxDOOAuthEnabled,
    wechat: options.WeChatAuthEnabled,
    telegram: options.TelegramOAuthEnabled,
    oidc: options['oidc.enabled'],
    discord: options['discord.enabled'],
  })[service];

/**
 * Whether somebody still gets in when an identity, or every passkey, is gone. What the site has switched off is no
 * way in; the super admin's password always is.
 */
export const hasWayInWithout = async (
  { users, passkeys, options }: WaysInDeps,
  user: User,
  without: IdentityService | 'passkeys',
): Promise<boolean> => {
  const now = options();
  if ((now.PasswordLoginEnabled || isRoot(user)) && (await users.passwordHashOf(user.id))) return true;
  const others = identitiesOf(user).filter(([service, id]) => id !== '' && service !== without);
  if (others.some(([service]) => isServiceOn(now, service))) return true;
  return without !== 'passkeys' && now.PasskeyLoginEnabled && (await passkeys.listOf(user.id)).length > 0;
};

const identitiesOf = (user: User): readonly (readonly [IdentityService, string])[] => [
  ['github', user.githubId],
  ['linuxdo', user.linuxDoId],
  ['wechat', user.wechatId],
  ['telegram', user.telegramId],
  ['oidc', user.oidcId],
  ['discord', user.discordId],
];
