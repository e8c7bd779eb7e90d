import { MADE_PASSWORD_LENGTH } from '#contract/limits.ts';
import { randomBytes } from 'node:crypto';
import { userStatus } from '#contract/codes.ts';
import type { Language } from '#contract/messages.ts';
import type { OptionValues } from '#contract/options.ts';
import type { Clock, Random } from '#core/clock.ts';
import type { Log } from '#core/logging.ts';
import { mailPage } from '#core/mail-page.ts';
import type { Mailer } from '#core/mail.ts';
import type { RateLimiter } from '#core/limits/rate-limiter.ts';
import type { TicketStore } from '#core/ticket-store.ts';
import type { IdentityStore } from '#core/user/identity-store.ts';
import type { User } from '#core/user/user.ts';
import type { UserStore } from '#core/user/user-store.ts';
import type { PasswordGuesses } from './password-guesses.ts';
import type { Passwords } from './passwords.ts';
import { refuse } from '../../refuse.ts';
import { type Sessions, sha256 } from './sessions.ts';

const LIVES_MS = 15 * 60_000;
/** The countdown on the page; a repeated request within it sends no mail. */
const AGAIN_AFTER_MS = 30_000;
const TOKEN_BYTES = 32;

/** Keeps links by the hash of their token, and the newest link of each user: only that one works. */
const LINK = 'password-reset';
const NEWEST = 'password-reset-newest';

export interface PasswordResetDeps {
  readonly identities: Pick<IdentityStore, 'byEmail'>;
  readonly users: Pick<UserStore, 'setPasswordHash' | 'passwordHashOf'>;
  readonly tickets: TicketStore;
  readonly passwords: Pick<Passwords, 'hash'>;
  readonly guesses: Pick<PasswordGuesses, 'forgive'>;
  readonly sessions: Pick<Sessions, 'endAccessOf'>;
  readonly mail: Mailer;
  /** Limits mails to one mailbox. */
  readonly mailLimit: Pick<RateLimiter, 'take'>;
  readonly options: () => Pick<OptionValues, 'ServerAddress' | 'SystemName'>;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
}

/** Replaces a forgotten password by mail. Refusals are thrown. */
export type PasswordReset = ReturnType<typeof createPasswordReset>;

/** New passwords by a link in a mail, which is valid once and for a while. Refusals are thrown. */
export const createPasswordReset = (deps: PasswordResetDeps) => {
  const { tickets, clock } = deps;
  const userOf = async (email: string): Promise<User | undefined> => {
    const user = await deps.identities.byEmail(email);
    return user?.deletedAtMs === null && user.status === userStatus.enabled ? user : undefined;
  };

  const hashOf = async (userId: number): Promise<string> => (await deps.users.passwordHashOf(userId)) ?? '';
  /** A link becomes invalid when the password or the address changes: the old mailbox may be somebody else's by now. */
  const forgottenOf = ({ id, email }: User, passwordHash: string): string =>
    `${id} ${sha256(JSON.stringify([email, passwordHash]))}`;

  const sendLink = async (email: string, address: string, language: Language): Promise<void> => {
    const user = await userOf(email);
    if (user === undefined) return;
    const nowMs = clock.now();
    const sentAtMs = await tickets.madeAtMs(NEWEST, String(user.id), nowMs);
    if (sentAtMs !== undefined && nowMs - sentAtMs < AGAIN_AFTER_MS) return;
    if (!(await deps.mailLimit.take(`link ${email}`)).ok) return;
    const token = randomBytes(TOKEN_BYTES).toString('base64url');
    const hash = sha256(token);
    const times = { nowMs, expiresAtMs: nowMs + LIVES_MS };
    await tickets.put({
      kind: LINK,
      key: hash,
      value: forgottenOf(user, await hashOf(user.id)),
      ...times,
    });
    await tickets.put({ kind: NEWEST, key: String(user.id), value: hash, ...times });
    const url = `${address}/user/reset?${new URLSearchParams({ email, token }).toString()}`;
    const frame = { to: email, siteName: deps.options().SystemName, language };
    try {
      await deps.mail.send(mailPage(frame, contentOf(user.username, url)[language]));
    } catch (error) {
      // Whoever asks again need not wait: nothing was sent.
      await tickets.take(NEWEST, String(user.id), nowMs);
      throw error;
    }
  };

  return {
    /**
     * Mails a link if an account has this address. Neither the answer nor its time reveals whether one has: the mail is
     * sent after the answer.
     */
    request(email: string, language: Language): void {
      // Not the request's own address: a forged `Host` header would decide where the link leads.
      const address = deps.options().ServerAddress;
      if (!deps.mail.isReady() || address === '') throw refuse('reset_off');
      sendLink(email, address, language).catch((error: unknown) =>
        deps.log.warn('a mail to reset a password was not sent', { error }),
      );
    },

    /**
     * Uses up a link.
     * @returns the new password; all sessions and the access token of the account have ended
     */
    async confirm(email: string, token: string, ip: string): Promise<string> {
      const user = await userOf(email);
      const nowMs = clock.now();
      const hash = sha256(token);
      const ofLink = await tickets.take(LINK, hash, nowMs);
      if (user === undefined) throw refuse('reset_refused');
      const replaced = await hashOf(user.id);
      if (ofLink !== forgottenOf(user, replaced)) throw refuse('reset_refused');
      if ((await tickets.take(NEWEST, String(user.id), nowMs)) !== hash) throw refuse('reset_refused');
      const password = deps.random.alphanumeric(MADE_PASSWORD_LENGTH);
      if (!(await deps.users.setPasswordHash(user.id, await deps.passwords.hash(password), replaced)))
        throw refuse('reset_refused');
      await deps.sessions.endAccessOf(user.id);
      // Forgives the guesses of somebody who forgot the password.
      for (const name of [user.username, user.email])
        await deps.guesses.forgive({ name, ip, device: undefined });
      return password;
    },
  };
};

const contentOf = (username: string, url: string) => ({
  en: {
    subject: 'Reset your password',
    lines: [`Somebody asked for a new password for the account ${username}. If it was you, open this page:`],
    button: { label: 'Choose a new password', url },
    notes: ['The link works once, within 15 minutes. If it was not you, nothing needs to be done.'],
  },
  zh: {
    subject: '重置密码',
    lines: [`有人为账户 ${username} 申请了重置密码。如果是你本人操作，请打开下面的页面：`],
    button: { label: '重置密码', url },
    notes: ['链接 15 分钟内有效，且只能使用一次。如果不是你本人操作，无需理会。'],
  },
});
