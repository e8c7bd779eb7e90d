import { SESSION_MAX_AGE_MS } from '../control/sessions.ts';

/** Over https the name itself makes browsers insist on `Secure`, `Path=/` and no domain. */
const SECURE_NAME = '__Host-session';
const PLAIN_NAME = 'session';

/** The session id in a `Cookie` header. */
export const readSessionCookie = (header: string | undefined): string | undefined => {
  const cookies = new Map(
    (header ?? '').split(';').map((pair) => {
      const at = pair.indexOf('=');
      return [pair.slice(0, at).trim(), pair.slice(at + 1).trim()] as const;
    }),
  );
  return cookies.get(SECURE_NAME) ?? cookies.get(PLAIN_NAME);
};

/** A `Set-Cookie` value that keeps a session, or removes it. */
export const sessionCookie = (sessionId: string | undefined, secure: boolean): string =>
  [
    `${secure ? SECURE_NAME : PLAIN_NAME}=${sessionId ?? ''}`,
    'Path=/',
    'HttpOnly',
    'SameSite=Strict',
    `Max-Age=${sessionId === undefined ? 0 : SESSION_MAX_AGE_MS / 1000}`,
    ...(secure ? ['Secure'] : []),
  ].join('; ');
