interface SignInService {
  /** The name people know it by. */
  readonly name: string;
  /** How users identify themselves: on the service's page, with a code its account sends, or in its widget. */
  readonly by: 'oauth' | 'code' | 'widget';
  /** The column of `users` and the API field for an account's id at the service. */
  readonly field: `${string}_id`;
  /** The field of `/api/status` that says whether it is on. */
  readonly status: string;
  /** The default address of the service, and of its API if that is another host. */
  readonly address?: string;
  readonly api?: string;
  readonly options: {
    /** The option that switches it on. */
    readonly on: string;
    /** Options to fill in first. For OAuth: client id and secret. */
    readonly needs: readonly [string, string];
    readonly more?: readonly string[];
  };
}

/**
 * Sign-in services, in display order. Routes, options, settings cards, columns, buttons and bindings are derived from a
 * row; CONTRIBUTING.md lists what else a new service needs.
 */
export const signInServices = {
  github: {
    name: 'GitHub',
    by: 'oauth',
    field: 'github_id',
    status: 'github_oauth',
    address: 'https://github.com',
    api: 'https://api.github.com',
    options: { on: 'GitHubOAuthEnabled', needs: ['GitHubClientId', 'GitHubClientSecret'] },
  },
  linuxdo: {
    name: 'LinuxDO',
    by: 'oauth',
    field: 'linux_do_id',
    status: 'linuxdo_oauth',
    address: 'https://connect.linux.do',
    options: { on: 'LinuxDOOAuthEnabled', needs: ['LinuxDOClientId', 'LinuxDOClientSecret'] },
  },
  wechat: {
    name: 'WeChat',
    by: 'code',
    field: 'wechat_id',
    status: 'wechat_login',
    options: {
      on: 'WeChatAuthEnabled',
      needs: ['WeChatServerAddress', 'WeChatServerToken'],
      more: ['WeChatAccountQRCodeImageURL'],
    },
  },
  telegram: {
    name: 'Telegram',
    by: 'widget',
    field: 'telegram_id',
    status: 'telegram_oauth',
    options: { on: 'TelegramOAuthEnabled', needs: ['TelegramBotToken', 'TelegramBotName'] },
  },
  discord: {
    name: 'Discord',
    by: 'oauth',
    field: 'discord_id',
    status: 'discord_enabled',
    address: 'https://discord.com',
    options: { on: 'discord.enabled', needs: ['discord.client_id', 'discord.client_secret'] },
  },
  oidc: {
    name: 'OIDC',
    by: 'oauth',
    field: 'oidc_id',
    status: 'oidc_enabled',
    options: {
      on: 'oidc.enabled',
      needs: ['oidc.client_id', 'oidc.client_secret'],
      more: [
        'oidc.well_known',
        'oidc.authorization_endpoint',
        'oidc.token_endpoint',
        'oidc.user_info_endpoint',
      ],
    },
  },
} as const satisfies Record<string, SignInService>;

type Services = typeof signInServices;

/** The name of a sign-in service: the key of its row. */
export type ServiceName = keyof Services;

/** Services that ask the user on their own page. */
export type OauthName = {
  [Name in ServiceName]: Services[Name]['by'] extends 'oauth' ? Name : never;
}[ServiceName];

/** The field of a user that holds their identity at a service. */
export type IdentityField = Services[ServiceName]['field'];

/** All sign-in services, in the order of the table. */
export const serviceNames = Object.keys(signInServices) as [ServiceName, ...ServiceName[]];

/** Whether this is a service that asks the user on its own page. */
export const isOauthName = (name: string): name is OauthName =>
  Object.hasOwn(signInServices, name) && signInServices[name as ServiceName].by === 'oauth';

/** The services that ask the user on their own page. */
export const oauthNames = serviceNames.filter(isOauthName) as [OauthName, ...OauthName[]];

/** One value for every service, under the name in its row's field `key`. */
export const byService = <const Key extends 'field' | 'status', Value>(
  key: Key,
  valueOf: (name: ServiceName) => Value,
): Record<Services[ServiceName][Key], Value> =>
  Object.fromEntries(serviceNames.map((name) => [signInServices[name][key], valueOf(name)])) as Record<
    Services[ServiceName][Key],
    Value
  >;
