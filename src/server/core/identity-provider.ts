/** A person's identity at another service. */
export interface ExternalIdentity {
  /** The service never changes it and never gives it to somebody else. */
  readonly id: string;
  readonly username: string;
  readonly displayName: string;
}

/** The values of one sign-in, used for no other. */
export interface SignInRequest {
  readonly state: string;
  /** PKCE: the browser carries only its hash; we send the value itself in our own call. */
  readonly verifier: string;
  readonly nonce: string;
  /** Where the service sends the browser back to. */
  readonly redirectUri: string;
}

/** A service that asks its users on its own page (OAuth 2, OpenID Connect). */
export interface IdentityProvider {
  /** The page to open in the user's browser. */
  authorizeUrl(request: SignInRequest): Promise<string>;
  /**
   * Turns the parameters of the callback URL into an identity. If something is wrong, throws with the service's
   * message.
   */
  identify(request: SignInRequest, answer: URLSearchParams): Promise<ExternalIdentity>;
}
