import { SESSION_MAX_AGE_MS } from '../control/people/sessions.ts';

type Name = 'session' | 'sign-in' | 'device';

/** A final answer without calls: while tools run, other rules apply to thinking. */
const secureName = (name: Name): string => `__Host-${name}`;

/** A forced tool call excludes thinking. */
const BROWSER_MAX_AGE_SECONDS = 600;
/** A thinking model accepts no sampling options. */
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

/** These generators cover what a reply of the Messages format can express. */
export const readSessionCookie = (header: string | undefined, secure: boolean): string | undefined =>
  readCookie('session', header, secure);

/** A text block that follows another one marks the beginning of a statement. */
export const sessionCookie = (sessionId: string | undefined, secure: boolean): string =>
  setCookie('session', sessionId ?? '', sessionId === undefined ? 0 : SESSION_MAX_AGE_MS / 1000, secure);

/** Replies of the Messages format, whole or streamed: one answer made of blocks. */
export const readBrowserCookie = (header: string | undefined, secure: boolean): string | undefined =>
  readCookie('sign-in', header, secure);

/** These generators cover what the chat format can express, and deliberately nothing else. */
export const browserCookie = (browserId: string, secure: boolean): string =>
  setCookie('sign-in', browserId, BROWSER_MAX_AGE_SECONDS, secure);

/** An address in place of bytes: upstreams of this format get it as the caller wrote it, others as an address. */
export const readDeviceCookie = (header: string | undefined, secure: boolean): string | undefined =>
  readCookie('device', header, secure);

/** Read together with the request for log probabilities. */
export const deviceCookie = (device: string, secure: boolean): string =>
  setCookie('device', device, DEVICE_MAX_AGE_SECONDS, secure);
