import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { userStatus } from '#contract/codes.ts';
import { parsed } from '#contract/json-text.ts';
import { serviceNames } from '#contract/sign-in-services.ts';
import type { Clock } from '#core/clock.ts';
import type { SignInProof } from '#core/session/session-store.ts';
import type { TicketStore } from '#core/ticket-store.ts';
import type { UserStore } from '#core/user/user-store.ts';
import type { User } from '#core/user/user.ts';
import type { MessageKey } from '#contract/messages.ts';
import { refuse } from '../../refuse.ts';
import type { SecondFactors } from './second-factor.ts';
import { type From, type Sessions, sha256 } from './sessions.ts';

const KIND = 'second-step';
const VALID_MS = 300_000;
const MAX_TRIES = 10;

/** Either signed in, or waiting for the second factor: then the ticket and a code complete the sign-in. */
export type Entered =
  | { readonly user: User; readonly sessionId: string }
  | { readonly user: User; readonly ticket: string };

export interface EntryDeps {
  readonly users: Pick<UserStore, 'byId' | 'passwordHashOf'>;
  readonly sessions: Pick<Sessions, 'start'>;
  readonly secondFactors: Pick<SecondFactors, 'isOn' | 'prove'>;
  readonly tickets: TicketStore;
  readonly clock: Clock;
}

export type Entry = ReturnType<typeof createEntry>;

/** The proof of identity from the first step. */
type FirstProof = Pick<SignInProof, 'passwordHash' | 'identity'>;

/**
 * What is stored until the second step. It becomes invalid when the password changes, whatever the first step was.
 */
const firstStep = z.object({
  userId: z.number(),
  passwordHash: z.string(),
  identity: z.object({ service: z.enum(serviceNames), id: z.string() }).optional(),
});

/** Starts sessions, whatever the proof of identity. */
export const createEntry = ({ users, sessions, secondFactors, tickets, clock }: EntryDeps) => {
  /** Throws `over` if the account has been banned or deleted meanwhile, or its proof of identity no longer holds. */
  const start = async (user: User, from: From, proof: SignInProof, over: MessageKey) => {
    const sessionId = await sessions.start(user.id, from, proof);
    if (sessionId === undefined) throw refuse(over);
    return { user, sessionId };
  };

  const hashOf = async (userId: number): Promise<string> => (await users.passwordHashOf(userId)) ?? '';

  return {
    /** Starts a session without asking for a code: a passkey is both factors at once. */
    start: async (
      user: User,
      passkeyId: number,
      from: From,
    ): Promise<{ readonly user: User; readonly sessionId: string }> => {
      if (user.status !== userStatus.enabled) throw refuse('user_banned');
      return start(user, from, { passkeyId, hasSecond: true }, 'ticket_over');
    },

    /**
     * Signs in an account after one factor; asks for the second if it has one. The first proof is checked again when
     * the session begins, because the password may have changed, or the identity been unbound, while it was being
     * checked.
     */
    async enter(user: User, from: From, first: FirstProof): Promise<Entered> {
      if (user.status !== userStatus.enabled) throw refuse('user_banned');
      const over = first.passwordHash === undefined ? 'ticket_over' : 'wrong_login';
      if (!(await secondFactors.isOn(user.id)))
        return start(user, from, { ...first, hasSecond: false }, over);
      const ticket = randomBytes(24).toString('base64url');
      const nowMs = clock.now();
      const proven: z.infer<typeof firstStep> = {
        userId: user.id,
        passwordHash: sha256(first.passwordHash ?? (await hashOf(user.id))),
        identity: first.identity,
      };
      await tickets.put({
        kind: KIND,
        key: sha256(ticket),
        value: JSON.stringify(proven),
        nowMs,
        expiresAtMs: nowMs + VALID_MS,
      });
      return { user, ticket };
    },

    async finish(ticket: string, code: string, from: From) {
      const key = sha256(ticket);
      const nowMs = clock.now();
      const proven = firstStep.safeParse(
        parsed((await tickets.attempt(KIND, key, MAX_TRIES, nowMs)) ?? ''),
      ).data;
      const user = proven === undefined ? undefined : await users.byId(proven.userId);
      if (proven === undefined || user?.status !== userStatus.enabled) throw refuse('ticket_over');
      const passwordHash = await hashOf(user.id);
      if (proven.passwordHash !== sha256(passwordHash)) throw refuse('ticket_over');
      await secondFactors.prove(user, code);
      if ((await tickets.take(KIND, key, nowMs)) === undefined) throw refuse('ticket_over');
      const proof = { passwordHash, identity: proven.identity, hasSecond: true };
      return start(user, from, proof, 'ticket_over');
    },
  };
};
