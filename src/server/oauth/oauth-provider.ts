import { decodeJwt } from 'jose';
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  type Configuration,
  customFetch,
  fetchProtectedResource,
} from 'openid-client';
import type { z } from 'zod';
import { AppError } from '#core/error.ts';
import type { ExternalIdentity, IdentityProvider, SignInRequest } from '#core/identity-provider.ts';
import { withoutIdToken } from './guarded-fetch.ts';

/** For each request to a service, because the user sees an empty page meanwhile. */
export const TIMEOUT_SECONDS = 10;

/** What differs between services. */
export interface OauthService {
  /**
   * The service's endpoints, our client id and how we prove it, from the current options.
   * @param other whether the service has refused the first way to prove it
   */
  configure(other?: boolean): Promise<Configuration>;
  readonly scope: () => string;
  /** The URL that returns a token's user. */
  profileUrl(configuration: Configuration): string;
  readonly profile: z.ZodType<ExternalIdentity>;
}

/** OAuth 2 with PKCE, the same for every service: authorization page, code for token, token for profile. */
export const createOauthProvider = (service: OauthService): IdentityProvider => {
  /** From a description of the service: then it is asked for an id token, and what it says of its issuer is checked. */
  const isIssuerKnown = (): boolean => service.scope().split(' ').includes('openid');
  const configured = async (other = false): Promise<Configuration> => {
    const configuration = await service.configure(other);
    configuration.timeout = TIMEOUT_SECONDS;
    const { token_endpoint: endpoint = '' } = configuration.serverMetadata();
    // Only operators on a private network, and tests, use a service without https.
    if (endpoint.startsWith('http:')) allowInsecureRequests(configuration);
    const fetch = configuration[customFetch];
    if (!isIssuerKnown() && fetch !== undefined) configuration[customFetch] = withoutIdToken(fetch);
    return configuration;
  };

  return {
    async authorizeUrl({ state, verifier, nonce, redirectUri }) {
      const url = buildAuthorizationUrl(await configured(), {
        redirect_uri: redirectUri,
        scope: service.scope(),
        state,
        code_challenge: await calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        ...(isIssuerKnown() ? { nonce } : {}),
      });
      // It is opened in a page of this site, where an address with another scheme, such as `javascript:`, would run.
      if (!/^https?:$/.test(url.protocol)) throw providerFailed('its page has no web address');
      return url.href;
    },

    async identify(request: SignInRequest, answer: URLSearchParams) {
      const configuration = await configured();
      const callback = new URL(request.redirectUri);
      callback.search = answer.toString();
      if (!isIssuerKnown()) callback.searchParams.delete('iss');
      const checks = {
        expectedState: request.state,
        pkceCodeVerifier: request.verifier,
        ...(isIssuerKnown() ? { expectedNonce: request.nonce, idTokenExpected: true } : {}),
      };
      const tokens = await authorizationCodeGrant(configuration, callback, checks).catch(
        async (thrown: unknown) => {
          // The code is not used up: a service looks who asks first (RFC 6749, 4.1.3).
          if (!isWrongClient(thrown)) throw thrown;
          return authorizationCodeGrant(await configured(true), callback, checks);
        },
      );
      const url = new URL(service.profileUrl(configuration));
      const headers = new Headers({ accept: 'application/json' });
      const reply = await fetchProtectedResource(
        configuration,
        tokens.access_token,
        url,
        'GET',
        undefined,
        headers,
      );
      if (!reply.ok) throw providerFailed(`the profile answered ${reply.status}`);
      const { data: identity } = service.profile.safeParse(await bodyOf(reply));
      if (identity === undefined) throw providerFailed('the profile does not say who it is');
      const claimed = tokens.claims()?.sub;
      if (claimed !== undefined && claimed !== identity.id)
        throw providerFailed('the profile is not of the one who signed in');
      return identity;
    },
  };
};

/** Our own words, which are safe to show to anybody. */
const providerFailed = (message: string): AppError => new AppError('upstream_failed', message);

/**
 * A profile as JSON, or as a token that has it. Its signature adds nothing to the connection that it came by, on which the access
 * token and the id token came, too (OpenID Connect Core, 5.3.2).
 */
const bodyOf = async (reply: Response): Promise<unknown> =>
  reply.headers.get('content-type')?.startsWith('application/jwt') === true
    ? decodeJwt(await reply.text())
    : reply.json();

/** RFC 6749, 5.2; some find no client where they do not look for one, and call the request incomplete. */
const ABOUT_THE_CLIENT: ReadonlySet<unknown> = new Set([
  'invalid_client',
  'unauthorized_client',
  'invalid_request',
]);

const isWrongClient = (thrown: unknown): boolean =>
  thrown instanceof Error &&
  (('error' in thrown && ABOUT_THE_CLIENT.has(thrown.error)) ||
    ('status' in thrown && thrown.status === 401));
