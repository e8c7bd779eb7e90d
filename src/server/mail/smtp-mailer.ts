import type { Socket } from 'node:net';
import { createTransport, type Transporter } from 'nodemailer';
import type { OptionValues } from '#contract/options.ts';
import { type Phrase, say } from '#contract/messages.ts';
import { AwakeTimer } from '#core/awake-timer.ts';
import { AppError } from '#core/error.ts';
import type { Mail, Mailer } from '#core/mail.ts';

/** Port on which TLS starts with the first byte (RFC 8314). */
const TLS_PORT = 465;
const CONNECT_TIMEOUT_MS = 10_000;
const SILENCE_TIMEOUT_MS = 20_000;
/** However little at a time the server says: somebody may be waiting for the answer. */
const DELIVERY_TIMEOUT_MS = 30_000;

type SmtpOptions = Pick<
  OptionValues,
  'SMTPServer' | 'SMTPPort' | 'SMTPAccount' | 'SMTPFrom' | 'SMTPToken' | 'SMTPSSLEnabled' | 'SystemName'
>;

/** Opens a connection; rejects with the reason `address_refused` where mail may not go. */
type OpenSocket = (host: string, port: number) => Promise<Socket>;

interface MailerDeps {
  readonly options: () => SmtpOptions;
  /** What every connection is opened with: it refuses addresses that mail may not go to. */
  readonly openSocket: OpenSocket;
  /** Further roots to believe, as PEM; those of the system when not given. */
  readonly trustedRoots?: string;
  readonly timeoutMs?: number;
}

/**
 * Mail over SMTP as the options of this moment say: TLS from the first byte on port 465 or where it is forced, else
 * STARTTLS wherever the server offers it. A password never goes over a connection without TLS, except to this machine.
 */
export const createSmtpMailer = ({
  options,
  openSocket,
  trustedRoots,
  timeoutMs = DELIVERY_TIMEOUT_MS,
}: MailerDeps): Mailer => ({
  isReady: () => options().SMTPServer !== '' && senderOf(options()) !== '',
  async send(mail) {
    const now = options();
    if (now.SMTPServer === '' || senderOf(now) === '') throw refused('mail_not_set_up');
    const transport = transportOf(now, openSocket, trustedRoots);
    try {
      await within(timeoutMs, deliver(transport, now, mail));
    } catch (thrown) {
      throw refused('mail_failed', problemOf(thrown, now.SMTPToken), thrown);
    } finally {
      transport.close();
    }
  },
});

/** `SMTPFrom`, or the account where it is an address: what most servers insist on anyway. */
const senderOf = ({ SMTPFrom, SMTPAccount }: SmtpOptions): string =>
  SMTPFrom || (SMTPAccount.includes('@') ? SMTPAccount : '');

const LOOPBACK = new Set(['localhost', '127.0.0.1', '::1']);

/** Whether TLS starts with the first byte: always on port 465. */
export const isTlsAtOnce = ({
  SMTPPort,
  SMTPSSLEnabled,
}: Pick<SmtpOptions, 'SMTPPort' | 'SMTPSSLEnabled'>): boolean => SMTPPort === TLS_PORT || SMTPSSLEnabled;

const transportOf = (
  options: SmtpOptions,
  openSocket: OpenSocket,
  trustedRoots: string | undefined,
): Transporter => {
  const secure = isTlsAtOnce(options);
  const hasPassword = options.SMTPAccount !== '' && options.SMTPToken !== '';
  return createTransport({
    host: options.SMTPServer,
    port: options.SMTPPort,
    secure,
    requireTLS: !secure && hasPassword && !LOOPBACK.has(options.SMTPServer),
    getSocket: (_: unknown, done: (error: Error | null, opened?: { connection: Socket }) => void) => {
      openSocket(options.SMTPServer, options.SMTPPort).then(
        (connection) => done(null, { connection }),
        (error: Error) => done(error),
      );
    },
    ...(hasPassword ? { auth: { user: options.SMTPAccount, pass: options.SMTPToken } } : {}),
    ...(trustedRoots === undefined ? {} : { tls: { ca: trustedRoots } }),
    connectionTimeout: CONNECT_TIMEOUT_MS,
    greetingTimeout: CONNECT_TIMEOUT_MS,
    socketTimeout: SILENCE_TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
};

const deliver = async (transport: Transporter, options: SmtpOptions, mail: Mail): Promise<void> => {
  await transport.sendMail({
    from: { name: options.SystemName, address: senderOf(options) },
    to: { name: '', address: mail.to },
    subject: mail.subject,
    text: mail.text,
    html: mail.html,
    headers: { 'Auto-Submitted': 'auto-generated' },
  });
};

/** Gives the work up after a while; what it says later is nobody's. */
const within = async (timeoutMs: number, work: Promise<void>): Promise<void> => {
  const late = Promise.withResolvers<never>();
  const problem = new Error(`no answer within ${Math.ceil(timeoutMs / 1000)} s`);
  const timer = new AwakeTimer(timeoutMs, () => late.reject(problem));
  try {
    await Promise.race([work, late.promise]);
  } finally {
    timer.stop();
  }
};

/** What the server said, without the password should it repeat it. */
const problemOf = (thrown: unknown, password: string): string | Phrase => {
  if (thrown instanceof AppError && thrown.reason === 'address_refused')
    return { key: 'mail_server_private' };
  const text = thrown instanceof Error ? thrown.message : String(thrown);
  return (password === '' ? text : text.replaceAll(password, '***')).slice(0, 300);
};

const refused = (
  reason: 'mail_not_set_up' | 'mail_failed',
  issue: string | Phrase = '',
  cause?: unknown,
): AppError => new AppError('refused', say(reason, 'en', { issue }), { reason, values: { issue }, cause });
