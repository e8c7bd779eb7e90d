import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  type Configuration,
  fetchProtectedResource,
} from 'openid-client';
import type { z } from 'zod';
import { AppError } from '#core/error.ts';
import type { ExternalIdentity, IdentityProvider, SignInRequest } from '#core/identity-provider.ts';

/** For each question a service is asked: somebody is looking at an empty page meanwhile. */
export const TIMEOUT_SECONDS = 10;

/** How one service differs from the next. */
export interface OauthService {
  /** Where it is and who we are there, as the options say now. */
  configure(): Promise<Configuration>;
  readonly scope: () => string;
  /** Where it tells who a token belongs to. */
  profileUrl(configuration: Configuration): string;
  readonly profile: z.ZodType<ExternalIdentity>;
}

/** OAuth 2 with PKCE, the same for every service: the page, the code for a token, the token for a profile. */
export const createOauthProvider = (service: OauthService): IdentityProvider => {
  const configured = async (): Promise<Configuration> => {
    const configuration = await service.configure();
    configuration.timeout = TIMEOUT_SECONDS;
    const { token_endpoint: endpoint = '' } = configuration.serverMetadata();
    // Only an operator on a network of its own, and tests, name a service without https.
    if (endpoint.startsWith('http:')) allowInsecureRequests(configuration);
    return configuration;
  };

  return {
    async authorizeUrl({ state, verifier, nonce, redirectUri }) {
      const scope = service.scope();
      const url = buildAuthorizationUrl(await configured(), {
        redirect_uri: redirectUri,
        scope,
        state,
        code_challenge: await calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        ...(asksForIdToken(scope) ? { nonce } : {}),
      });
      return url.href;
    },

    async identify(request: SignInRequest, answer: URLSearchParams) {
      const configuration = await configured();
      const callback = new URL(request.redirectUri);
      callback.search = answer.toString();
      const tokens = await authorizationCodeGrant(configuration, callback, {
        expectedState: request.state,
        pkceCodeVerifier: request.verifier,
        ...(asksForIdToken(service.scope()) ? { expectedNonce: request.nonce, idTokenExpected: true } : {}),
      });
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
      if (!reply.ok) throw told(`the profile answered ${reply.status}`);
      const { data: identity } = service.profile.safeParse(await reply.json());
      if (identity === undefined) throw told('the profile does not say who it is');
      const claimed = tokens.claims()?.sub;
      if (claimed !== undefined && claimed !== identity.id)
        throw told('the profile is not of the one who signed in');
      return identity;
    },
  };
};

/** Our own words, which anybody may read. */
const told = (message: string): AppError => new AppError('upstream_failed', message);

const asksForIdToken = (scope: string): boolean => scope.split(' ').includes('openid');
