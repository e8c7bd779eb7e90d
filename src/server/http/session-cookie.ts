import { SESSION_MAX_AGE_MS } from '../control/sessions.ts';

/** Over https the name itself makes browsers insist on `Secure`, `Path=/` and no domain. */
const SECURE_NAME = '__Host-session';
const PLAIN_NAME = 'session';

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
 * The session id in a `Cookie` header. Over https only the name that nobody else can set: a neighbour of the site, or
 * whoever answers its plain address, may set the other and would have somebody work in a session of theirs.
 */
export const readSessionCookie = (header: string | undefined, secure: boolean): string | undefined => {
  const cookies = cookiesOf(header);
  return cookies.get(SECURE_NAME) ?? (secure ? undefined : cookies.get(PLAIN_NAME));
};

/** Knows a browser again while its user signs in elsewhere. */
export const readBrowserCookie = (header: string | undefined, secure: boolean): string | undefined => {
  const cookies = cookiesOf(header);
  return cookies.get('__Host-sign-in') ?? (secure ? undefined : cookies.get('sign-in'));
};

export const browserCookie = (browserId: string, secure: boolean): string =>
  [
    `${secure ? '__Host-sign-in' : 'sign-in'}=${browserId}`,
    'Path=/',
    'HttpOnly',
    'SameSite=Strict',
    `Max-Age=${BROWSER_MAX_AGE_SECONDS}`,
    ...(secure ? ['Secure'] : []),
  ].join('; ');

/** What says that a browser is known to an account (control/known-devices.ts). */
export const readDeviceCookie = (header: string | undefined, secure: boolean): string | undefined => {
  const cookies = cookiesOf(header);
  return cookies.get('__Host-device') ?? (secure ? undefined : cookies.get('device'));
};

export const deviceCookie = (device: string, secure: boolean): string =>
  [
    `${secure ? '__Host-device' : 'device'}=${device}`,
    'Path=/',
    'HttpOnly',
    'SameSite=Strict',
    `Max-Age=${DEVICE_MAX_AGE_SECONDS}`,
    ...(secure ? ['Secure'] : []),
  ].join('; ');

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
