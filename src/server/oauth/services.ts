import { ClientSecretBasic, ClientSecretPost, Configuration, customFetch, discovery } from 'openid-client';
import { allowInsecureRequests } from 'openid-client';
import { z } from 'zod';
import type { OptionValues } from '#contract/options.ts';
import type { IdentityProvider } from '#core/identity-provider.ts';
import type { Sender } from '#core/outbound.ts';
import { guardedFetch } from './guarded-fetch.ts';
import { createOauthProvider, type OauthService, TIMEOUT_SECONDS } from './oauth-provider.ts';

/** Where the services with a fixed address are. */
export interface ServiceAddresses {
  readonly github: string;
  readonly 'github-api': string;
  readonly linuxdo: string;
  readonly discord: string;
}

interface ServiceDeps {
  readonly options: () => OptionValues;
  readonly sender: Pick<Sender, 'send'>;
  readonly addresses: ServiceAddresses;
}

/** Kept as it is, so no longer than OpenID allows and without what a database cannot keep. Source: OpenID Connect Core, 2. */
const idText = z.union([z.string().regex(/^[^\0]{1,255}$/), z.number().int()]).transform(String);

/** https://docs.github.com/apps/oauth-apps; the number is the identity, login names change hands. */
const githubProfile = z
  .object({ id: z.number().int(), login: z.string(), name: z.string().nullish() })
  .transform(({ id, login, name }) => ({ id: String(id), username: login, displayName: name || login }));

const linuxdoProfile = z
  .object({ id: idText, username: z.string(), name: z.string().nullish() })
  .transform(({ id, username, name }) => ({ id, username, displayName: name || username }));

const discordProfile = z
  .object({ id: idText, username: z.string(), global_name: z.string().nullish() })
  .transform(({ id, username, global_name: name }) => ({ id, username, displayName: name || username }));

/** OpenID Connect Core, standard claims. */
const oidcProfile = z
  .object({ sub: idText, preferred_username: z.string().nullish(), name: z.string().nullish() })
  .transform(({ sub, preferred_username: username, name }) => ({
    id: sub,
    username: username ?? '',
    displayName: name || username || '',
  }));

const fixed = (
  { sender }: ServiceDeps,
  address: string,
  paths: { readonly authorize: string; readonly token: string },
  client: { readonly id: string; readonly secret: string; readonly basic?: boolean },
): Promise<Configuration> => {
  const metadata = {
    issuer: address,
    authorization_endpoint: address + paths.authorize,
    token_endpoint: address + paths.token,
  };
  const proof = client.basic === true ? ClientSecretBasic(client.secret) : ClientSecretPost(client.secret);
  const configuration = new Configuration(metadata, client.id, {}, proof);
  configuration[customFetch] = guardedFetch(sender);
  return Promise.resolve(configuration);
};

const oidcService = (deps: ServiceDeps): OauthService => {
  const isDiscovered = (): boolean => deps.options()['oidc.well_known'] !== '';
  return {
    async configure() {
      const now = deps.options();
      const id = now['oidc.client_id'];
      const proof = ClientSecretPost(now['oidc.client_secret']);
      const fetch = guardedFetch(deps.sender);
      if (isDiscovered()) {
        const url = new URL(now['oidc.well_known']);
        const execute = url.protocol === 'http:' ? [allowInsecureRequests] : [];
        return discovery(url, id, {}, proof, { execute, timeout: TIMEOUT_SECONDS, [customFetch]: fetch });
      }
      const authorize = now['oidc.authorization_endpoint'];
      const metadata = {
        issuer: URL.canParse(authorize) ? new URL(authorize).origin : 'unset',
        authorization_endpoint: authorize,
        token_endpoint: now['oidc.token_endpoint'],
        userinfo_endpoint: now['oidc.user_info_endpoint'],
      };
      const configuration = new Configuration(metadata, id, {}, proof);
      configuration[customFetch] = fetch;
      return configuration;
    },
    // Without discovery nobody says who signs the id token, so none is asked for.
    scope: () => (isDiscovered() ? 'openid profile email' : 'profile email'),
    profileUrl: (configuration) =>
      deps.options()['oidc.user_info_endpoint'] || (configuration.serverMetadata().userinfo_endpoint ?? ''),
    profile: oidcProfile,
  };
};

/** Every service that speaks OAuth with us. */
export const createIdentityProviders = (
  deps: ServiceDeps,
): Readonly<Record<'github' | 'linuxdo' | 'discord' | 'oidc', IdentityProvider>> => {
  const { options, addresses } = deps;
  return {
    github: createOauthProvider({
      configure: () =>
        fixed(
          deps,
          addresses.github,
          { authorize: '/login/oauth/authorize', token: '/login/oauth/access_token' },
          { id: options().GitHubClientId, secret: options().GitHubClientSecret },
        ),
      scope: () => 'user:email',
      profileUrl: () => `${addresses['github-api']}/user`,
      profile: githubProfile,
    }),
    linuxdo: createOauthProvider({
      configure: () =>
        fixed(
          deps,
          addresses.linuxdo,
          { authorize: '/oauth2/authorize', token: '/oauth2/token' },
          { id: options().LinuxDOClientId, secret: options().LinuxDOClientSecret, basic: true },
        ),
      scope: () => 'user',
      profileUrl: () => `${addresses.linuxdo}/api/user`,
      profile: linuxdoProfile,
    }),
    discord: createOauthProvider({
      configure: () =>
        fixed(
          deps,
          addresses.discord,
          { authorize: '/oauth2/authorize', token: '/api/oauth2/token' },
          { id: options()['discord.client_id'], secret: options()['discord.client_secret'] },
        ),
      scope: () => 'identify',
      profileUrl: () => `${addresses.discord}/api/users/@me`,
      profile: discordProfile,
    }),
    oidc: createOauthProvider(oidcService(deps)),
  };
};
