/** Who somebody is at another service. */
export interface ExternalIdentity {
  /** Never changes and is never given to somebody else there. */
  readonly id: string;
  readonly username: string;
  readonly displayName: string;
}

/** What belongs to one sign-in and to no other. */
export interface SignInRequest {
  readonly state: string;
  /** PKCE: its hash goes out with the browser, itself only with our own call. */
  readonly verifier: string;
  readonly nonce: string;
  /** Where the service sends the browser back to. */
  readonly redirectUri: string;
}

/** A service that asks its users on a page of its own (OAuth 2, OpenID Connect). */
export interface IdentityProvider {
  /** The page to open in the user's browser. */
  authorizeUrl(request: SignInRequest): Promise<string>;
  /** Turns what came back in the address into who it is. Throws whatever is wrong, in words of the service. */
  identify(request: SignInRequest, answer: URLSearchParams): Promise<ExternalIdentity>;
}
