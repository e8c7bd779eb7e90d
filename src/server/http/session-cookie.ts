import { SESSION_MAX_AGE_MS } from '../control/people/sign-in/sessions.ts';

type Name = 'session' | 'sign-in' | 'device';

interface Connection {
  /** It came over https. */
  readonly secure: boolean;
}

/** Over https the `__Host-` prefix makes browsers require `Secure`, `Path=/` and no domain. */
const secureName = (name: Name): string => `__Host-${name}`;

/** How long somebody may spend at another service to sign in. */
const BROWSER_MAX_AGE_SECONDS = 600;
/** Browsers keep no cookie longer than 400 days. */
const DEVICE_MAX_AGE_SECONDS = 365 * 86_400;

const cookiesOf = (header: string | undefined): ReadonlyMap<string, string> =>
  new Map(
    (header ?? '').split(';').map((pair) => {
      const at = pair.indexOf('=');
      return [pair.slice(0, at).trim(), pair.slice(at + 1).trim()] as const;
    }),
  );

/**
 * Reads one of our cookies. Over https only the `__Host-` name counts: a neighbouring subdomain or a plain-http
 * attacker could set the other name and place the user in a session of their own.
 */
const readCookie = (name: Name, header: string | undefined, { secure }: Connection): string | undefined => {
  const cookies = cookiesOf(header);
  return cookies.get(secureName(name)) ?? (secure ? undefined : cookies.get(name));
};

const setCookie = (name: Name, value: string, maxAgeSeconds: number, { secure }: Connection): string =>
  [
    `${secure ? secureName(name) : name}=${value}`,
    'Path=/',
    'HttpOnly',
    'SameSite=Strict',
    `Max-Age=${maxAgeSeconds}`,
    ...(secure ? ['Secure'] : []),
  ].join('; ');

/** The session id in a `Cookie` header. */
export const readSessionCookie = (header: string | undefined, connection: Connection): string | undefined =>
  readCookie('session', header, connection);

/** A `Set-Cookie` value that sets or removes the session. */
export const sessionCookie = (sessionId: string | undefined, connection: Connection): string =>
  setCookie('session', sessionId ?? '', sessionId === undefined ? 0 : SESSION_MAX_AGE_MS / 1000, connection);

/** Recognises a browser while its user signs in at another service. */
export const readBrowserCookie = (header: string | undefined, connection: Connection): string | undefined =>
  readCookie('sign-in', header, connection);

/** A `Set-Cookie` value for `readBrowserCookie`. */
export const browserCookie = (browserId: string, connection: Connection): string =>
  setCookie('sign-in', browserId, BROWSER_MAX_AGE_SECONDS, connection);

/** The cookie of accounts a browser is known to (control/people/sign-in/known-devices.ts). */
export const readDeviceCookie = (header: string | undefined, connection: Connection): string | undefined =>
  readCookie('device', header, connection);

/** A `Set-Cookie` value for `readDeviceCookie`. */
export const deviceCookie = (device: string, connection: Connection): string =>
  setCookie('device', device, DEVICE_MAX_AGE_SECONDS, connection);
