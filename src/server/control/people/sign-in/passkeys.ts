import { z } from 'zod';
import { PASSKEYS_PER_USER_MAX } from '#contract/limits.ts';
import type { OptionValues } from '#contract/options.ts';
import { parsed } from '#contract/json-text.ts';
import type { Clock } from '#core/clock.ts';
import type { TicketStore } from '#core/ticket-store.ts';
import type { Passkey, PasskeyStore } from '#core/user/passkey-store.ts';
import type { UserStore } from '#core/user/user-store.ts';
import type { User } from '#core/user/user.ts';
import type { Vault } from '#core/secrets/vault.ts';
import type { Entry } from './entry.ts';
import type { Actor } from '../identity.ts';
import {
  ALGORITHMS,
  challengeOf,
  type MadeCredential,
  type PasskeySite,
  passkeySite,
  type ProvenCredential,
  verifyMade,
  verifyProof,
  webauthn,
} from './passkey-ceremony.ts';
import { refuse } from '../../refuse.ts';
import { type From, sha256 } from './sessions.ts';
import type { TellOwner } from './tell-owner.ts';
import { waysInOf } from './ways-in.ts';

const VALID_MS = 300_000;
/** What a challenge is for: one for signing in cannot register a passkey. */
type Purpose = 'passkey-sign-in' | 'passkey-register';

/** What is stored with a challenge until its answer comes. */
const storedChallenge = z.object({ origin: z.string(), session: z.string() });

export interface PasskeyDeps {
  readonly passkeys: PasskeyStore;
  readonly users: Pick<UserStore, 'byId'>;
  readonly entry: Pick<Entry, 'start'>;
  readonly tellOwner: TellOwner;
  readonly tickets: Pick<TicketStore, 'put' | 'take'>;
  readonly vault: Pick<Vault, 'mac'>;
  readonly options: () => OptionValues;
  readonly clock: Clock;
}

export type Passkeys = ReturnType<typeof createPasskeys>;

/** A challenge works once, for five minutes, for one purpose, and for the address and session it was given to. */
const createChallenges = ({ tickets, clock }: Pick<PasskeyDeps, 'tickets' | 'clock'>) => ({
  keep: (purpose: Purpose, challenge: string, kept: z.infer<typeof storedChallenge>): Promise<void> => {
    const nowMs = clock.now();
    return tickets.put({
      kind: purpose,
      key: sha256(challenge),
      value: JSON.stringify(kept),
      nowMs,
      expiresAtMs: nowMs + VALID_MS,
    });
  },

  /** Uses up the challenge of an answer. Throws `ticket_over` unless we gave it for this purpose. */
  take: async (
    purpose: Purpose,
    clientData: string,
    wanted: z.infer<typeof storedChallenge>,
  ): Promise<string> => {
    const challenge = challengeOf(clientData);
    const value = await tickets.take(purpose, sha256(challenge), clock.now());
    const kept = storedChallenge.safeParse(parsed(value ?? '')).data;
    if (kept?.origin !== wanted.origin || kept.session !== wanted.session) throw refuse('ticket_over');
    return challenge;
  },
});

const siteAt = ({ options }: PasskeyDeps, origin: string): PasskeySite => passkeySite(options(), origin);
/** The account's id on authenticators; it reveals nothing to others. */
const handleOf = ({ vault }: PasskeyDeps, userId: number): string => vault.mac(`passkey-user ${userId}`);

/** Signing in with a passkey. */
const createProofs = (deps: PasskeyDeps) => {
  const { passkeys, clock } = deps;
  const challenges = createChallenges(deps);

  /** Throws unless a registered passkey has just signed our challenge for its holder. */
  const prove = async (
    credential: ProvenCredential,
    origin: string,
  ): Promise<{ readonly user: User; readonly passkeyId: number }> => {
    const site = siteAt(deps, origin);
    const { clientDataJSON, userHandle } = credential.response;
    const wanted = { origin: site.origin, session: '' };
    const challenge = await challenges.take('passkey-sign-in', clientDataJSON, wanted);
    const passkey = await passkeys.byCredential(credential.id);
    if (passkey === undefined) throw refuse('passkey_unknown');
    if (userHandle && userHandle !== handleOf(deps, passkey.userId)) throw refuse('passkey_unknown');
    const user = await deps.users.byId(passkey.userId);
    if (user === undefined || user.deletedAtMs !== null) throw refuse('user_is_gone');
    const counter = await verifyProof(credential, passkey, challenge, site);
    if (!(await passkeys.use(passkey.id, passkey.counter, counter, clock.now())))
      throw refuse('passkey_wrong', { issue: { key: 'proof_used_twice' } });
    return { user, passkeyId: passkey.id };
  };

  return {
    prove: async (credential: ProvenCredential, origin: string): Promise<User> =>
      (await prove(credential, origin)).user,

    async beginProof(origin: string) {
      const site = siteAt(deps, origin);
      const { generateAuthenticationOptions } = await webauthn();
      const options = await generateAuthenticationOptions({
        rpID: site.id,
        userVerification: 'required',
        timeout: VALID_MS,
      });
      await challenges.keep('passkey-sign-in', options.challenge, { origin: site.origin, session: '' });
      return { ...options };
    },

    enter: async (credential: ProvenCredential, origin: string, from: From) => {
      const { user, passkeyId } = await prove(credential, origin);
      return deps.entry.start(user, passkeyId, from);
    },
  };
};

/**
 * Passkeys (WebAuthn level 3): discoverable and always with user verification, so that each counts as both factors.
 * `origin` is the browser's, such as `https://gateway.example`.
 */
export const createPasskeys = (deps: PasskeyDeps) => {
  const { passkeys, clock } = deps;
  const challenges = createChallenges(deps);

  return {
    ...createProofs(deps),

    async begin(actor: Actor, origin: string) {
      const site = siteAt(deps, origin);
      const { generateRegistrationOptions } = await webauthn();
      const options = await generateRegistrationOptions({
        rpName: deps.options().SystemName,
        rpID: site.id,
        userName: actor.user.username,
        userDisplayName: actor.user.displayName,
        userID: new Uint8Array(Buffer.from(handleOf(deps, actor.user.id), 'base64url')),
        timeout: VALID_MS,
        excludeCredentials: (await passkeys.listOf(actor.user.id)).map((known) => ({
          id: known.credentialId,
          transports: [...known.transports],
        })),
        supportedAlgorithmIDs: ALGORITHMS,
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      });
      const session = actor.sessionHash ?? '';
      await challenges.keep('passkey-register', options.challenge, { origin: site.origin, session });
      return { ...options };
    },

    async finish(actor: Actor, name: string, made: MadeCredential, origin: string): Promise<void> {
      const site = siteAt(deps, origin);
      const wanted = { origin: site.origin, session: actor.sessionHash ?? '' };
      const challenge = await challenges.take('passkey-register', made.response.clientDataJSON, wanted);
      const { id: credentialId, publicKey, counter } = await verifyMade(made, challenge, site);
      const outcome = await passkeys.add(
        {
          userId: actor.user.id,
          credentialId,
          publicKey: Buffer.from(publicKey).toString('base64url'),
          counter,
          transports: made.response.transports,
          name,
          createdAtMs: clock.now(),
        },
        PASSKEYS_PER_USER_MAX,
      );
      if (outcome === 'taken') throw refuse('passkey_taken');
      if (outcome === 'gone') throw refuse('user_is_gone');
      if (outcome === 'full') throw refuse('passkey_full', { most: PASSKEYS_PER_USER_MAX });
      deps.tellOwner(actor.user, 'passkey');
    },

    listOf: (user: User): Promise<readonly Passkey[]> => passkeys.listOf(user.id),

    async rename(user: User, id: number, name: string): Promise<void> {
      if (!(await passkeys.rename(user.id, id, name))) throw refuse('passkey_missing');
    },

    /** The last way to sign in cannot be removed. */
    async remove(actor: Actor, id: number): Promise<void> {
      const outcome = await passkeys.remove(actor.user.id, id, waysInOf(deps.options(), actor.user));
      if (outcome === 'missing') throw refuse('passkey_missing');
      if (outcome === 'last') throw refuse('identity_last');
    },
  };
};
