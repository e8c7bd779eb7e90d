import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { SMTPServer } from 'smtp-server';
import { runServer } from '../run-server.ts';

/**
 * A real SMTP server in a process of its own, and beside it a page with what it took: `/mails`. One account may write,
 * `user` with `--password`; `--tls` speaks TLS from the first byte, else STARTTLS is offered, unless `--plain`. Its
 * certificate is made at the start and is on the page. `refused@example.com` is; about `silent@example.com` it
 * never says anything.
 */
const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '0' },
    tls: { type: 'boolean', default: false },
    plain: { type: 'boolean', default: false },
    password: { type: 'string', default: 'simulated-password' },
    'with-parent': { type: 'boolean', default: false },
  },
});

interface Taken {
  readonly from: string;
  readonly to: readonly string[];
  readonly secure: boolean;
  readonly user: string;
  readonly text: string;
}

const mails: Taken[] = [];

/** A certificate for this machine, good for a day. */
const makeCertificate = (): { key: string; cert: string } => {
  const folder = mkdtempSync(join(tmpdir(), 'mail-certificate-'));
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1'];
  const files = ['-keyout', key, '-out', cert];
  execFileSync(
    'openssl',
    ['req', '-x509', '-nodes', '-newkey', 'rsa:2048', '-days', '1', ...subject, ...files],
    {
      stdio: 'ignore',
    },
  );
  const made = { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') };
  rmSync(folder, { recursive: true });
  return made;
};
const certificate = makeCertificate();

const smtp = new SMTPServer({
  ...certificate,
  secure: values.tls,
  ...(values.plain ? { disabledCommands: ['STARTTLS'] } : {}),
  authOptional: true,
  authMethods: ['PLAIN', 'LOGIN', 'CRAM-MD5'],
  onAuth(auth, _session, done) {
    const right =
      auth.username === 'user' &&
      (auth.method === 'CRAM-MD5'
        ? auth.validatePassword(values.password)
        : auth.password === values.password);
    if (right) done(null, { user: 'user' });
    else done(new Error('Invalid username or password'));
  },
  onRcptTo(address, _session, done) {
    if (address.address === 'silent@example.com') return;
    if (address.address === 'refused@example.com') done(new Error('No such mailbox'));
    else done();
  },
  onData(stream, session, done) {
    const chunks: Buffer[] = [];
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.on('end', () => {
      const { mailFrom, rcptTo } = session.envelope;
      mails.push({
        from: mailFrom === false ? '' : mailFrom.address,
        to: rcptTo.map(({ address }) => address),
        secure: session.secure,
        user: String(session.user ?? ''),
        text: Buffer.concat(chunks).toString(),
      });
      done();
    });
  },
});

smtp.on('error', () => undefined);
smtp.listen(0, '127.0.0.1', () => {
  const { port } = smtp.server.address() as AddressInfo;
  const page = createServer((_request, response) => {
    response
      .setHeader('content-type', 'application/json')
      .end(JSON.stringify({ port, mails, root: certificate.cert }));
  });
  runServer(page, Number(values.port), values['with-parent']);
});
