import { isRoot } from '#contract/may.ts';
import type { OptionValues } from '#contract/options.ts';
import type { IdentityService } from '#core/user/identity-store.ts';
import type { User } from '#core/user/user.ts';
import type { WaysIn } from '#core/user/ways-in.ts';

const SERVICES: readonly IdentityService[] = ['github', 'linuxdo', 'wechat', 'telegram', 'oidc', 'discord'];

export const isServiceOn = (options: OptionValues, service: IdentityService): boolean =>
  ({
    github: options.GitHubOAuthEnabled,
    linuxdo: options.LinuxDOOAuthEnabled,
    wechat: options.WeChatAuthEnabled,
    telegram: options.TelegramOAuthEnabled,
    oidc: options['oidc.enabled'],
    discord: options['discord.enabled'],
  })[service];

/** What is a way in for somebody at this moment; the super admin's password always is. */
export const waysInOf = (options: OptionValues, user: User): WaysIn => ({
  password: options.PasswordLoginEnabled || isRoot(user),
  passkeys: options.PasskeyLoginEnabled,
  services: SERVICES.filter((service) => isServiceOn(options, service)),
});
