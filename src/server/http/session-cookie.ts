import { SESSION_MAX_AGE_MS } from '../control/sessions.ts';

type Name = 'session' | 'sign-in' | 'device';

/** Over https the name itself makes browsers insist on `Secure`, `Path=/` and no domain. */
const secureName = (name: Name): string => `__Host-${name}`;

/** How long somebody may stay away at another service. */
const BROWSER_MAX_AGE_SECONDS = 600;
/** Browsers keep none for longer than 400 days. */
const DEVICE_MAX_AGE_SECONDS = 365 * 86_400;

const cookiesOf = (header: string | undefined): ReadonlyMap<string, string> =>
  new Map(
    (header ?? '').split(';').map((pair) => {
      const at = pair.indexOf('=');
      return [pair.slice(0, at).trim(), pair.slice(at + 1).trim()] as const;
    }),
  );

/**
 * A cookie of ours in a `Cookie` header. Over https only the name that nobody else can set: a neighbour of the site, or
 * whoever answers its plain address, may set the other and would have somebody work in a session of theirs.
 */
const readCookie = (name: Name, header: string | undefined, secure: boolean): string | undefined => {
  const cookies = cookiesOf(header);
  return cookies.get(secureName(name)) ?? (secure ? undefined : cookies.get(name));
};

const setCookie = (name: Name, value: string, maxAgeSeconds: number, secure: boolean): string =>
  [
    `${secure ? secureName(name) : name}=${value}`,
    'Path=/',
    'HttpOnly',
    'SameSite=Strict',
    `Max-Age=${maxAgeSeconds}`,
    ...(secure ? ['Secure'] : []),
  ].join('; ');

export const readSessionCookie = (header: string | undefined, secure: boolean): string | undefined =>
  readCookie('session', header, secure);

/** A `Set-Cookie` value that keeps a session, or removes it. */
export const sessionCookie = (sessionId: string | undefined, secure: boolean): string =>
  setCookie('session', sessionId ?? '', sessionId === undefined ? 0 : SESSION_MAX_AGE_MS / 1000, secure);

/** Knows a browser again while its user signs in elsewhere. */
export const readBrowserCookie = (header: string | undefined, secure: boolean): string | undefined =>
  readCookie('sign-in', header, secure);

export const browserCookie = (browserId: string, secure: boolean): string =>
  setCookie('sign-in', browserId, BROWSER_MAX_AGE_SECONDS, secure);

/** What says that a browser is known to an account (control/known-devices.ts). */
export const readDeviceCookie = (header: string | undefined, secure: boolean): string | undefined =>
  readCookie('device', header, secure);

export const deviceCookie = (device: string, secure: boolean): string =>
  setCookie('device', device, DEVICE_MAX_AGE_SECONDS, secure);
