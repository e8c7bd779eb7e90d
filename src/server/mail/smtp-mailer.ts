import type { Socket } from 'node:net';
import type { Transporter } from 'nodemailer';
import type { OptionValues } from '#contract/options.ts';
import { type Phrase, say } from '#contract/messages.ts';
import { AwakeTimer } from '#core/time/awake-timer.ts';
import { AppError } from '#core/error.ts';
import { errorWords } from '#core/error-words.ts';
import type { Mail, Mailer } from '#core/mail.ts';

/** The port with implicit TLS (RFC 8314). */
const TLS_PORT = 465;
const CONNECT_TIMEOUT_MS = 10_000;
const SILENCE_TIMEOUT_MS = 20_000;
/** Limits the whole delivery, because a user may be waiting, however slowly the server answers. */
const DELIVERY_TIMEOUT_MS = 30_000;

type SmtpOptions = Pick<
  OptionValues,
  'SMTPServer' | 'SMTPPort' | 'SMTPAccount' | 'SMTPFrom' | 'SMTPToken' | 'SMTPSSLEnabled' | 'SystemName'
>;

/** Opens a connection; rejects with the reason `address_refused` if mail may not go there. */
type OpenSocket = (host: string, port: number) => Promise<Socket>;

interface MailerDeps {
  readonly options: () => SmtpOptions;
  /** Opens every connection; refuses addresses that mail may not go to. */
  readonly openSocket: OpenSocket;
  /** Additional root certificates, as PEM; the system's by default. */
  readonly trustedRoots?: string;
  readonly timeoutMs?: number;
}

/**
 * Sends mail over SMTP with the current options: implicit TLS on port 465 or if forced, else STARTTLS if the server
 * offers it. The password is never sent without TLS, except to this machine.
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
    const transport = await transportOf(now, openSocket, trustedRoots);
    try {
      await within(timeoutMs, deliver(transport, now, mail));
    } catch (thrown) {
      throw refused('mail_failed', problemOf(thrown, now.SMTPToken), thrown);
    } finally {
      transport.close();
    }
  },
});

/** `SMTPFrom`, or the account if it is an address, which most servers require anyway. */
const senderOf = ({ SMTPFrom, SMTPAccount }: SmtpOptions): string =>
  SMTPFrom || (SMTPAccount.includes('@') ? SMTPAccount : '');

const LOOPBACK = new Set(['localhost', '127.0.0.1', '::1']);

/** Whether TLS is implicit: always on port 465. */
export const isTlsAtOnce = ({
  SMTPPort,
  SMTPSSLEnabled,
}: Pick<SmtpOptions, 'SMTPPort' | 'SMTPSSLEnabled'>): boolean => SMTPPort === TLS_PORT || SMTPSSLEnabled;

const transportOf = async (
  options: SmtpOptions,
  openSocket: OpenSocket,
  trustedRoots: string | undefined,
): Promise<Transporter> => {
  // Loaded by whoever sends mail: it is large.
  const { createTransport } = await import('nodemailer');
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

/** Rejects after a timeout; a later result is ignored. */
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

/** The server's message, with the password removed in case it repeats it. */
const problemOf = (thrown: unknown, password: string): string | Phrase => {
  if (thrown instanceof AppError && thrown.reason === 'address_refused')
    return { key: 'mail_server_private' };
  const text = errorWords(thrown);
  return (password === '' ? text : text.replaceAll(password, '***')).slice(0, 300);
};

const refused = (
  reason: 'mail_not_set_up' | 'mail_failed',
  issue: string | Phrase = '',
  cause?: unknown,
): AppError => new AppError('refused', say(reason, 'en', { issue }), { reason, values: { issue }, cause });
