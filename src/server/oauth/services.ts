import {
  allowInsecureRequests,
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretPost,
  Configuration,
  customFetch,
  discovery,
  type ServerMetadata,
} from 'openid-client';
import { z } from 'zod';
import type { OptionValues } from '#contract/options.ts';
import { type OauthName, oauthNames, signInServices } from '#contract/sign-in-services.ts';
import { AppError } from '#core/error.ts';
import type { ExternalIdentity, IdentityProvider } from '#core/identity-provider.ts';
import type { Sender } from '#core/outbound/outbound.ts';
import { guardedFetch } from './guarded-fetch.ts';
import { createOauthProvider, type OauthService, TIMEOUT_SECONDS } from './oauth-provider.ts';

interface ServicePlace {
  readonly address: string;
  readonly api: string;
}

interface ServiceDeps {
  readonly options: () => OptionValues;
  readonly sender: Pick<Sender, 'send'>;
  /** The address and API of each service; empty if options set them. */
  readonly places: Readonly<Record<OauthName, ServicePlace>>;
}

/**
 * Stored as it is, so limited to the length OpenID allows and without NUL, which a database cannot store. Source:
 * OpenID Connect Core, 2.
 */
const idText = z.union([z.string().regex(/^[^\0]{1,255}$/), z.number().int()]).transform(String);

/** https://docs.github.com/apps/oauth-apps; the number is the identity, because login names can be reused. */
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

/** A service with fixed endpoints: paths at its address, the profile at its API, and the profile's schema. */
interface FixedService {
  readonly authorize: string;
  readonly token: string;
  /** Whether the client secret is sent in a header instead of the form. */
  readonly basic?: boolean;
  readonly scope: string;
  readonly profilePath: string;
  readonly profile: z.ZodType<ExternalIdentity>;
}

const fixedServices: Readonly<Record<Exclude<OauthName, 'oidc'>, FixedService>> = {
  github: {
    authorize: '/login/oauth/authorize',
    token: '/login/oauth/access_token',
    scope: 'user:email',
    profilePath: '/user',
    profile: githubProfile,
  },
  linuxdo: {
    authorize: '/oauth2/authorize',
    token: '/oauth2/token',
    basic: true,
    scope: 'user',
    profilePath: '/api/user',
    profile: linuxdoProfile,
  },
  discord: {
    authorize: '/oauth2/authorize',
    token: '/api/oauth2/token',
    scope: 'identify',
    profilePath: '/api/users/@me',
    profile: discordProfile,
  },
};

const fixedService = (
  name: OauthName,
  { options, sender, places }: ServiceDeps,
  service: FixedService,
): OauthService => {
  const { address, api } = places[name];
  const [id, secret] = signInServices[name].options.needs;
  const metadata = {
    issuer: address,
    authorization_endpoint: address + service.authorize,
    token_endpoint: address + service.token,
  };
  const prove = service.basic === true ? ClientSecretBasic : ClientSecretPost;
  return {
    configure: () => {
      const now = options();
      const configuration = new Configuration(metadata, now[id], {}, prove(now[secret]));
      configuration[customFetch] = guardedFetch(sender);
      return Promise.resolve(configuration);
    },
    scope: () => service.scope,
    profileUrl: () => api + service.profilePath,
    profile: service.profile,
  };
};

const DESCRIPTION = /\/\.well-known\/(?:openid-configuration|oauth-authorization-server)/;
/** Microsoft serves discovery documents at addresses other than the issuer's. */
const HAS_OTHER_ISSUERS =
  /^https:\/\/(?:login\.(?:partner\.)?microsoftonline\.(?:com|us|cn)|[\w-]+\.(?:b2c|ciam)login\.com)\//;

const withoutSlash = (address: string): string => address.replace(/\/$/, '');

/**
 * Throws unless the issuer named in a discovery document owns its address (OpenID Connect Discovery, 4.3). Otherwise
 * anybody who can place a file at a service could make us trust another issuer's keys.
 */
const checkIssuer = ({ issuer }: ServerMetadata, described: URL): void => {
  const expected = withoutSlash(described.href.replace(DESCRIPTION, ''));
  const named = URL.canParse(issuer) ? withoutSlash(new URL(issuer).href) : '';
  if (named !== expected && !HAS_OTHER_ISSUERS.test(described.href))
    throw new AppError('upstream_failed', `its description is of another issuer than ${expected}`);
};

/**
 * Sends the secret in the form if the service takes it there, else in a header, which is what a service takes that says nothing
 * (OpenID Connect Discovery, 3). Many name both ways, and have one of them set for each client: then the `other` is tried.
 */
const proofOf =
  (secret: string, other: boolean): ClientAuth =>
  (service, ...rest) => {
    const ways = service.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    const inForm = ways.includes('client_secret_post') !== other;
    (inForm ? ClientSecretPost : ClientSecretBasic)(secret)(service, ...rest);
  };

const oidcService = (deps: ServiceDeps): OauthService => {
  const isDiscovered = (): boolean => deps.options()['oidc.well_known'] !== '';
  return {
    async configure(other = false) {
      const now = deps.options();
      const id = now['oidc.client_id'];
      const proof = proofOf(now['oidc.client_secret'], other);
      const fetch = guardedFetch(deps.sender);
      if (isDiscovered()) {
        const url = new URL(now['oidc.well_known']);
        const execute = url.protocol === 'http:' ? [allowInsecureRequests] : [];
        const settings = { execute, timeout: TIMEOUT_SECONDS, [customFetch]: fetch };
        const configuration = await discovery(url, id, {}, proof, settings);
        checkIssuer(configuration.serverMetadata(), url);
        return configuration;
      }
      const authorize = now['oidc.authorization_endpoint'];
      const metadata = {
        issuer: URL.canParse(authorize) ? new URL(authorize).origin : 'unset',
        authorization_endpoint: authorize,
        token_endpoint: now['oidc.token_endpoint'],
        userinfo_endpoint: now['oidc.user_info_endpoint'],
        // Nobody has said it, and most take both.
        token_endpoint_auth_methods_supported: ['client_secret_post'],
      };
      const configuration = new Configuration(metadata, id, {}, proof);
      configuration[customFetch] = fetch;
      return configuration;
    },
    // Without discovery the signer of an id token is unknown, so none is requested.
    scope: () => (isDiscovered() ? 'openid profile email' : 'profile email'),
    profileUrl: (configuration) =>
      deps.options()['oidc.user_info_endpoint'] || (configuration.serverMetadata().userinfo_endpoint ?? ''),
    profile: oidcProfile,
  };
};

/** Every OAuth service we support. */
export const createIdentityProviders = (deps: ServiceDeps): Readonly<Record<OauthName, IdentityProvider>> =>
  Object.fromEntries(
    oauthNames.map((name) => [
      name,
      createOauthProvider(
        name === 'oidc' ? oidcService(deps) : fixedService(name, deps, fixedServices[name]),
      ),
    ]),
  ) as Record<OauthName, IdentityProvider>;
