import { randomBytes } from 'node:crypto';
import { userStatus } from '#contract/codes.ts';
import type { Clock } from '#core/clock.ts';
import type { TicketStore } from '#core/ticket-store.ts';
import type { UserStore } from '#core/user/user-store.ts';
import type { User } from '#core/user/user.ts';
import { refuse } from './refuse.ts';
import type { SecondFactors } from './second-factor.ts';
import { type Sessions, sha256 } from './sessions.ts';

const KIND = 'second-step';
const VALID_MS = 300_000;
const MAX_TRIES = 10;

/** Where somebody signs in from. */
export interface From {
  readonly ip: string;
  readonly userAgent: string;
}

/** Signed in, or one step short of it: the ticket and a code finish it. */
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

/** The one way in, however somebody proved who they are. */
export const createEntry = ({ users, sessions, secondFactors, tickets, clock }: EntryDeps) => {
  const start = async (user: User, from: From) => ({
    user,
    sessionId: await sessions.start(user.id, from.ip, from.userAgent),
  });

  /** Half a sign-in is worth nothing once the password is another. */
  const provenOf = async (userId: number): Promise<string> =>
    `${userId} ${sha256((await users.passwordHashOf(userId)) ?? '')}`;

  return {
    /** A passkey is both factors at once: it never asks for a code. */
    start: async (user: User, from: From): Promise<{ readonly user: User; readonly sessionId: string }> => {
      if (user.status !== userStatus.enabled) throw refuse('user_banned');
      return start(user, from);
    },

    /** Lets an account in that was proven by one factor; where it has a second one, that is asked for first. */
    async enter(user: User, from: From): Promise<Entered> {
      if (user.status !== userStatus.enabled) throw refuse('user_banned');
      if (!(await secondFactors.isOn(user.id))) return start(user, from);
      const ticket = randomBytes(24).toString('base64url');
      const nowMs = clock.now();
      await tickets.put({
        kind: KIND,
        key: sha256(ticket),
        value: await provenOf(user.id),
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
      if (proven !== (await provenOf(user.id))) throw refuse('ticket_over');
      await secondFactors.prove(user, code);
      if ((await tickets.take(KIND, key, nowMs)) === undefined) throw refuse('ticket_over');
      return start(user, from);
    },
  };
};
