import { randomInt, timingSafeEqual } from 'node:crypto';
import type { Language } from '#contract/messages.ts';
import type { OptionValues } from '#contract/options.ts';
import { commaList } from '#contract/text.ts';
import type { Clock } from '#core/clock.ts';
import type { Log } from '#core/logging.ts';
import { mailPage } from '#core/mail-page.ts';
import type { Mailer } from '#core/mail.ts';
import type { RateLimiter } from '#core/limits/rate-limiter.ts';
import type { TicketStore } from '#core/ticket-store.ts';
import type { IdentityStore } from '#core/user/identity-store.ts';
import type { Vault } from '#core/secrets/vault.ts';
import { refuse, countOrRefuse } from '../../refuse.ts';

const KIND = 'email-code';
const VALID_MS = 600_000;
const AGAIN_AFTER_MS = 30_000;
const MAX_TRIES = 5;

export interface VerificationDeps {
  readonly tickets: TicketStore;
  readonly identities: Pick<IdentityStore, 'byEmail'>;
  readonly vault: Pick<Vault, 'mac'>;
  readonly mail: Mailer;
  /** Limits mails to one mailbox. */
  readonly mailLimit: Pick<RateLimiter, 'take'>;
  readonly options: () => OptionValues;
  readonly clock: Clock;
  readonly log: Pick<Log, 'warn'>;
}

/** Google delivers to one mailbox whatever dots stand in its name. */
const DOTLESS: ReadonlySet<string> = new Set(['gmail.com', 'googlemail.com']);

/** Where mail to an address arrives, however it is spelled: nobody's mailbox is filled by `name+1@`, `name+2@` and so on. */
const mailboxOf = (email: string): string => {
  const at = email.lastIndexOf('@');
  const domain = email.slice(at + 1);
  const [name = ''] = email.slice(0, at).split('+');
  return DOTLESS.has(domain) ? `${name.replaceAll('.', '')}@gmail.com` : `${name}@${domain}`;
};

export type Verification = ReturnType<typeof createVerification>;

/** Verifies an e-mail address by a six-digit code, valid for ten minutes, five tries and one use. */
export const createVerification = (deps: VerificationDeps) => {
  const { tickets, clock } = deps;
  const macOf = (email: string, code: string): string => deps.vault.mac(`${KIND} ${email} ${code}`);

  /** Throws if the operator does not allow addresses of this domain. */
  const checkDomain = (email: string): void => {
    const { EmailDomainRestrictionEnabled, EmailAliasRestrictionEnabled, EmailDomainWhitelist } =
      deps.options();
    const [local = '', domain = ''] = email.split('@');
    const allowed = commaList(EmailDomainWhitelist.toLowerCase());
    if (EmailDomainRestrictionEnabled && !allowed.includes(domain))
      throw refuse('email_domain', { domains: allowed.join(', ') });
    if (EmailAliasRestrictionEnabled && /[+.]/.test(local)) throw refuse('email_alias');
  };

  return {
    checkDomain,

    /**
     * Mails a code. An address that has an account gets a mail that says so instead, so that the answer reveals
     * nothing.
     */
    async send(email: string, language: Language): Promise<void> {
      checkDomain(email);
      if (!deps.mail.isReady()) throw refuse('mail_not_set_up');
      const nowMs = clock.now();
      const madeAtMs = await tickets.madeAtMs(KIND, email, nowMs);
      const waitMs = (madeAtMs ?? -AGAIN_AFTER_MS) + AGAIN_AFTER_MS - nowMs;
      if (madeAtMs !== undefined && waitMs > 0)
        throw refuse('code_too_soon', { seconds: Math.ceil(waitMs / 1000) });
      await countOrRefuse(deps.mailLimit, `code ${mailboxOf(email)}`);
      const code = String(randomInt(1_000_000)).padStart(6, '0');
      await tickets.put({
        kind: KIND,
        key: email,
        value: macOf(email, code),
        nowMs,
        expiresAtMs: nowMs + VALID_MS,
      });
      const isTaken = (await deps.identities.byEmail(email)) !== undefined;
      const frame = { to: email, siteName: deps.options().SystemName, language };
      const page = mailPage(frame, isTaken ? takenMail(language) : codeMail(language, code));
      try {
        await deps.mail.send(page);
      } catch (error) {
        // Anybody may request a code, so the mail server's message is for the operator only.
        deps.log.warn('a mail with a code was not sent', { error });
        // Removes the code, so that another can be requested at once.
        await tickets.take(KIND, email, nowMs);
        throw refuse('mail_not_sent');
      }
    },

    /** Uses up the code of an address. Throws `code_wrong` for every failure. */
    async use(email: string, code: string): Promise<void> {
      const nowMs = clock.now();
      const wanted = await tickets.attempt(KIND, email, MAX_TRIES, nowMs);
      const given = Buffer.from(macOf(email, code));
      const right = wanted !== undefined && timingSafeEqual(Buffer.from(wanted), given);
      if (!right || (await tickets.take(KIND, email, nowMs)) === undefined) throw refuse('code_wrong');
    },
  };
};

const codeMail = (language: Language, code: string) =>
  language === 'zh'
    ? {
        subject: '邮箱验证码',
        lines: ['请在页面中填写以下验证码，以确认这是你的邮箱：'],
        code,
        notes: ['验证码 10 分钟内有效，且只能使用一次。如果不是你本人操作，请忽略这封邮件。'],
      }
    : {
        subject: 'Your verification code',
        lines: ['Enter this code on the page to confirm that this is your address:'],
        code,
        notes: ['It is good for 10 minutes and for one use. If you did not ask for it, ignore this mail.'],
      };

const takenMail = (language: Language) =>
  language === 'zh'
    ? {
        subject: '该邮箱已有账户',
        lines: ['有人想用这个邮箱注册或绑定账户，但它已经属于一个账户。'],
        notes: ['如果是你本人，请直接登录，或使用找回密码。否则请忽略这封邮件。'],
      }
    : {
        subject: 'This address has an account already',
        lines: ['Somebody wants to register or bind this address, but an account has it already.'],
        notes: ['If it was you, sign in or reset your password. If not, ignore this mail.'],
      };
