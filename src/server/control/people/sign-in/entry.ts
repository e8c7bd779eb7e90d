import { randomBytes } from 'node:crypto';
import { userStatus } from '#contract/codes.ts';
import type { Clock } from '#core/clock.ts';
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

/** Starts sessions, whatever the proof of identity. */
export const createEntry = ({ users, sessions, secondFactors, tickets, clock }: EntryDeps) => {
  /** Throws `over` if by now the account is banned or deleted, or its password has changed. */
  const start = async (user: User, from: From, over: MessageKey, passwordHash?: string) => {
    const sessionId = await sessions.start(user.id, from, passwordHash);
    if (sessionId === undefined) throw refuse(over);
    return { user, sessionId };
  };

  /** The first step becomes invalid when the password changes. */
  const provenBy = (userId: number, passwordHash: string): string => `${userId} ${sha256(passwordHash)}`;
  const hashOf = async (userId: number): Promise<string> => (await users.passwordHashOf(userId)) ?? '';

  return {
    /** Starts a session without asking for a code: a passkey is both factors at once. */
    start: async (user: User, from: From): Promise<{ readonly user: User; readonly sessionId: string }> => {
      if (user.status !== userStatus.enabled) throw refuse('user_banned');
      return start(user, from, 'user_banned');
    },

    /**
     * Signs in an account after one factor; asks for the second if it has one. `passwordHash` is that of the checked
     * password, because the password may change while it is being checked.
     */
    async enter(user: User, from: From, passwordHash?: string): Promise<Entered> {
      if (user.status !== userStatus.enabled) throw refuse('user_banned');
      if (!(await secondFactors.isOn(user.id)))
        return start(user, from, passwordHash === undefined ? 'user_banned' : 'wrong_login', passwordHash);
      const ticket = randomBytes(24).toString('base64url');
      const nowMs = clock.now();
      await tickets.put({
        kind: KIND,
        key: sha256(ticket),
        value: provenBy(user.id, passwordHash ?? (await hashOf(user.id))),
        nowMs,
        expiresAtMs: nowMs + VALID_MS,
      });
      return { user, ticket };
    },

    async finish(ticket: string, code: string, from: From) {
      const key = sha256(ticket);
      const nowMs = clock.now();
      const proven = await tickets.attempt(KIND, key, MAX_TRIES, nowMs);
      const user = proven === undefined ? undefined : await users.byId(Number(proven.split(' ')[0]));
      if (user === undefined || user.status !== userStatus.enabled) throw refuse('ticket_over');
      const passwordHash = await hashOf(user.id);
      if (proven !== provenBy(user.id, passwordHash)) throw refuse('ticket_over');
      await secondFactors.prove(user, code);
      if ((await tickets.take(KIND, key, nowMs)) === undefined) throw refuse('ticket_over');
      return start(user, from, 'ticket_over', passwordHash);
    },
  };
};
