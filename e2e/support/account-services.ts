import { type IdentityServer, startIdentityServer } from '../../src/simulator/identity/start.ts';
import { type MailServer, startMailServer } from '../../src/simulator/mail/start.ts';
import { type Operator, setOption, setUp } from './operator.ts';
import { shortLived, startTollgate, type Tollgate } from './tollgate.ts';
import { takePort } from './windows.ts';

export const BOT_TOKEN = '123:bot-token';

/** A site with a mail server and every sign-in service, each a process that speaks the real protocol. */
export interface AccountSite {
  readonly tollgate: Tollgate;
  readonly operator: Operator;
  readonly services: IdentityServer;
  readonly mail: MailServer;
  stop(): Promise<void>;
}

const oauth = { client: 'simulated-client', secret: 'simulated-secret' };

const optionsOf = (services: IdentityServer, mail: MailServer): readonly (readonly [string, unknown])[] => [
  ['SMTPServer', '127.0.0.1'],
  ['SMTPPort', mail.port],
  ['SMTPFrom', 'gate@example.com'],
  ['GitHubClientId', oauth.client],
  ['GitHubClientSecret', oauth.secret],
  ['GitHubOAuthEnabled', true],
  ['LinuxDOClientId', oauth.client],
  ['LinuxDOClientSecret', oauth.secret],
  ['LinuxDOOAuthEnabled', true],
  ['discord.client_id', oauth.client],
  ['discord.client_secret', oauth.secret],
  ['discord.enabled', true],
  ['oidc.client_id', oauth.client],
  ['oidc.client_secret', oauth.secret],
  ['oidc.well_known', `${services.url}/.well-known/openid-configuration`],
  ['oidc.enabled', true],
  ['WeChatServerAddress', services.url],
  ['WeChatServerToken', oauth.secret],
  ['WeChatAccountQRCodeImageURL', `${services.url}/qr.png`],
  ['WeChatAuthEnabled', true],
  ['TelegramBotToken', BOT_TOKEN],
  ['TelegramBotName', 'gate_bot'],
  ['TelegramOAuthEnabled', true],
];

export const startAccountSite = async (): Promise<AccountSite> => {
  const [services, mail] = await Promise.all([startIdentityServer(), startMailServer(['--plain'])]);
  const names = ['github', 'github-api', 'linuxdo', 'discord'];
  const { port, give } = await takePort();
  const tollgate = await startTollgate({
    nodeFlags: shortLived,
    env: {
      PORT: String(port),
      TOLLGATE_SERVICE_URLS: names.map((name) => `${name}=${services.url}`).join(','),
      TOLLGATE_LOGIN_LIMIT_PER_ADDRESS: '1000',
    },
  });
  const operator = await setUp(tollgate);
  for (const [key, value] of optionsOf(services, mail)) await setOption(operator, key, value);
  return {
    tollgate,
    operator,
    services,
    mail,
    stop: async () => {
      await Promise.all([tollgate.stop(), services.stop(), mail.stop()]);
      give();
    },
  };
};
