import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { parsed } from '#contract/text.ts';
import type { OptionValues } from '#contract/options.ts';
import type { Phrase } from '#contract/messages.ts';
import type { Clock } from '#core/clock.ts';
import type { Log } from '#core/logging.ts';
import { AppError } from '#core/error.ts';
import type { IdentityProvider } from '#core/identity-provider.ts';
import type { TicketStore } from '#core/ticket-store.ts';
import type { Entered, From } from './entry.ts';
import { requireFresh } from './fresh.ts';
import type { Actor } from './identity.ts';
import { type IdentityAccounts, serviceNames } from './identity-accounts.ts';
import { refuse, sayError, whyOf } from './refuse.ts';
import { sha256 } from './sessions.ts';
import { isServiceOn } from './ways-in.ts';

const KIND = 'sign-in-elsewhere';
const VALID_MS = 600_000;

export type OauthName = 'github' | 'linuxdo' | 'discord' | 'oidc';

/** What is remembered of a sign-in while the user is away. */
const journey = z.object({
  /** Null where a program asked for a state alone. */
  provider: z.string().nullable(),
  /** The session it binds an account to; null for signing in. */
  session: z.string().nullable(),
  browser: z.string(),
  verifier: z.string(),
  nonce: z.string(),
  affCode: z.string(),
});

/** Where a call comes from, as far as a sign-in is bound to it. */
export interface Visitor {
  readonly actor: Actor | undefined;
  /** What this browser was given when it began; lives in a cookie for ten minutes. */
  readonly browser: string | undefined;
  /** `https://gateway.example` */
  readonly origin: string;
}

export interface SignInElsewhereDeps {
  readonly providers: Readonly<Record<OauthName, IdentityProvider>>;
  readonly identityAccounts: Pick<IdentityAccounts, 'enter' | 'bind'>;
  readonly tickets: TicketStore;
  readonly options: () => OptionValues;
  readonly clock: Clock;
  readonly log: Pick<Log, 'warn'>;
}

export type SignInElsewhere = ReturnType<typeof createSignInElsewhere>;

const secret = (): string => randomBytes(24).toString('base64url');

/**
 * Signing in at another service and coming back. A state is 192 random bits, good once, for ten minutes, for the
 * browser that began, for one service, and either for signing in or for binding to one session: never for the other.
 */
export const createSignInElsewhere = (deps: SignInElsewhereDeps) => {
  const { providers, tickets, clock } = deps;

  const check = (provider: OauthName): void => {
    if (!isServiceOn(deps.options(), provider))
      throw refuse('provider_off', { provider: serviceNames[provider] });
  };
  const returnTo = (provider: OauthName, origin: string): string =>
    `${deps.options().ServerAddress || origin}/oauth/${provider}`;

  return {
    async begin(provider: OauthName | undefined, affCode: string, visitor: Visitor) {
      if (provider !== undefined) check(provider);
      // Binding adds a way in. It is asked for here: coming back, the state is used up.
      if (visitor.actor?.sessionHash !== undefined) requireFresh(visitor.actor, clock.now());
      const [state, browser, verifier, nonce] = [
        secret(),
        visitor.browser ?? secret(),
        secret() + secret(),
        secret(),
      ];
      const nowMs = clock.now();
      const kept: z.infer<typeof journey> = {
        provider: provider ?? null,
        session: visitor.actor?.sessionHash ?? null,
        browser: sha256(browser),
        verifier,
        nonce,
        affCode,
      };
      await tickets.put({
        kind: KIND,
        key: sha256(state),
        value: JSON.stringify(kept),
        nowMs,
        expiresAtMs: nowMs + VALID_MS,
      });
      if (provider === undefined) return { state, browser, authorizeUrl: '' };
      const redirectUri = returnTo(provider, visitor.origin);
      const request = { state, verifier, nonce, redirectUri };
      const authorizeUrl = await ask(deps, provider, () => providers[provider].authorizeUrl(request));
      return { state, browser, authorizeUrl };
    },

    /** @returns `bound` where the journey was to bind, else what signing in gives */
    async finish(
      provider: OauthName,
      answer: URLSearchParams,
      visitor: Visitor,
      from: From,
    ): Promise<'bound' | Entered> {
      check(provider);
      const state = answer.get('state') ?? '';
      const value = await tickets.take(KIND, sha256(state), clock.now());
      const kept = journey.safeParse(parsed(value ?? '')).data;
      if (kept === undefined || !isSame(kept, provider, visitor)) throw sayError('forbidden', 'state_wrong');
      const redirectUri = returnTo(provider, visitor.origin);
      const request = { state, verifier: kept.verifier, nonce: kept.nonce, redirectUri };
      const identity = await ask(deps, provider, () => providers[provider].identify(request, answer));
      if (visitor.actor === undefined || kept.session === null)
        return deps.identityAccounts.enter(provider, identity, kept.affCode || undefined, from);
      await deps.identityAccounts.bind(visitor.actor.user, provider, identity.id);
      return 'bound';
    },
  };
};

const isSame = (kept: z.infer<typeof journey>, provider: OauthName, visitor: Visitor): boolean =>
  (kept.provider === null || kept.provider === provider) &&
  kept.browser === sha256(visitor.browser ?? '') &&
  kept.session === (visitor.actor?.sessionHash ?? null);

/**
 * Whatever the service or the way there does wrong is one refusal. Anybody may ask: they are told what the service says
 * to people (RFC 6749, 4.1.2.1 and 5.2); anything else it answered is the operator's, in the log.
 */
const ask = async <Result>(
  { log }: SignInElsewhereDeps,
  provider: OauthName,
  work: () => Promise<Result>,
): Promise<Result> => {
  try {
    return await work();
  } catch (cause) {
    log.warn('a sign-in service did not answer as it should', { provider, error: cause });
    throw sayError(
      'refused',
      'provider_failed',
      { provider: serviceNames[provider], issue: issueOf(cause) },
      { cause },
    );
  }
};

const said = z.object({ error_description: z.string().optional(), error: z.string().optional() });

const issueOf = (cause: unknown): string | Phrase => {
  const words = said.safeParse(cause).data;
  const text = words?.error_description ?? words?.error;
  if (text !== undefined) return text.slice(0, 200);
  return cause instanceof AppError ? whyOf(cause) : { key: 'proof_no_answer' };
};
