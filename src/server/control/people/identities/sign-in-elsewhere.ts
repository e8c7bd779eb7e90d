import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { parsed } from '#contract/json-text.ts';
import type { OptionValues } from '#contract/options.ts';
import { type OauthName, signInServices } from '#contract/sign-in-services.ts';
import type { Phrase } from '#contract/messages.ts';
import type { Clock } from '#core/clock.ts';
import type { Log } from '#core/logging.ts';
import { AppError } from '#core/error.ts';
import type { IdentityProvider } from '#core/identity-provider.ts';
import type { TicketStore } from '#core/ticket-store.ts';
import type { Entered } from '../sign-in/entry.ts';
import { requireFresh } from '../sign-in/fresh.ts';
import type { Actor } from '../identity.ts';
import type { IdentityAccounts } from './identity-accounts.ts';
import { refuse, sayError, whyOf } from '../../refuse.ts';
import { type From, sha256 } from '../sign-in/sessions.ts';
import { isServiceOn } from '../sign-in/ways-in.ts';

const KIND = 'sign-in-elsewhere';
const VALID_MS = 600_000;

/** What is stored about a sign-in while the user is at the other service. */
const journey = z.object({
  /** Null if a program asked for a state only. */
  provider: z.string().nullable(),
  /** The session to bind an account to; null for signing in. */
  session: z.string().nullable(),
  browser: z.string(),
  verifier: z.string(),
  nonce: z.string(),
  affCode: z.string(),
});

/** The browser a sign-in is bound to. */
export interface Visitor {
  readonly actor: Actor | undefined;
  /** Throws unless the actor is signed in still. */
  readonly askAgain: () => Promise<void>;
  /** The random id this browser got at the start; stored in a cookie for ten minutes. */
  readonly browser: string | undefined;
  /** `https://gateway.example` */
  readonly origin: string;
}

export interface SignInElsewhereDeps {
  readonly providers: Readonly<Record<OauthName, IdentityProvider>>;
  readonly identityAccounts: Pick<IdentityAccounts, 'enter' | 'bind'>;
  readonly tickets: Pick<TicketStore, 'put' | 'take'>;
  readonly options: () => OptionValues;
  readonly clock: Clock;
  readonly log: Pick<Log, 'warn'>;
}

export type SignInElsewhere = ReturnType<typeof createSignInElsewhere>;

const secret = (): string => randomBytes(24).toString('base64url');

/**
 * Sign-in at another service. A state has 192 random bits. It works once, for ten minutes, for the browser that began
 * and for one service, and either for signing in or for binding to one session.
 */
export const createSignInElsewhere = (deps: SignInElsewhereDeps) => {
  const { providers, tickets, clock } = deps;

  const check = (provider: OauthName): void => {
    if (!isServiceOn(deps.options(), provider))
      throw refuse('provider_off', { provider: signInServices[provider].name });
  };
  const returnTo = (provider: OauthName, origin: string): string =>
    `${deps.options().ServerAddress || origin}/oauth/${provider}`;

  return {
    async begin(provider: OauthName | undefined, affCode: string, visitor: Visitor) {
      if (provider !== undefined) check(provider);
      // Binding adds a way to sign in, so it needs a fresh proof of identity. Checked here, because the state is used
      // up on return.
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

    /** @returns `bound` for a binding, else the result of the sign-in */
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
      // The service may have taken its time, and a stolen session may have been ended meanwhile.
      await visitor.askAgain();
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
 * Turns every failure of the service into one refusal. Anybody may trigger it, so the caller only sees what the service
 * intends for users (RFC 6749, 4.1.2.1 and 5.2); the rest is logged for the operator.
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
      { provider: signInServices[provider].name, issue: issueOf(cause) },
      { cause },
    );
  }
};

const errorShape = z.object({ error_description: z.string().optional(), error: z.string().optional() });

const issueOf = (cause: unknown): string | Phrase => {
  const words = errorShape.safeParse(cause).data;
  const text = words?.error_description ?? words?.error;
  if (text !== undefined) return text.slice(0, 200);
  return cause instanceof AppError ? whyOf(cause) : { key: 'proof_no_answer' };
};
