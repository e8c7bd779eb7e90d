import type { ConnectSocket } from './message-socket.ts';
import type { Sender } from './outbound.ts';
import { Secret } from './secret.ts';

/** What carries the connections of a channel. The name of the upstream is looked up there, not here. */
export interface OutboundProxy {
  /** `https`: TLS to the proxy itself. */
  readonly scheme: 'http' | 'https' | 'socks5';
  readonly host: string;
  readonly port: number;
  readonly username: string;
  readonly password: Secret;
  /** Its address without the password: `socks5://user@proxy.example:1080`. */
  readonly address: string;
}

/** Beside `proxy` in a channel's stored setting: its password, sealed. */
export const PROXY_PASSWORD = 'proxy_password';

/** Opens a sealed password for the address it belongs to. */
export type OpenProxyPassword = (sealed: string, proxyAddress: string) => string;

const PORTS = { http: 80, https: 443, socks5: 1080 } as const;
const SCHEMES = { http: 'http', https: 'https', socks5: 'socks5', socks5h: 'socks5' } as const;
/** Of a user name or password, in SOCKS (RFC 1929). */
const CREDENTIAL_MAX_BYTES = 255;

/** Reads `http://`, `https://` or `socks5://user:password@host:port`; undefined where it is none. */
export const parseProxy = (text: string): OutboundProxy | undefined => {
  const [, given = '', rest = ''] = /^([a-z0-9]+):\/\/([^\s/?#]+)\/?$/i.exec(text.trim()) ?? [];
  const scheme = schemeOf(given.toLowerCase());
  // A URL of a special scheme has its host checked and spelled in one way.
  const at = `http://${rest}`;
  if (scheme === undefined || !URL.canParse(at)) return undefined;
  const url = new URL(at);
  const port = Number(/:(\d+)$/.exec(rest)?.[1] ?? PORTS[scheme]);
  const username = plain(url.username);
  const password = plain(url.password);
  if (username === undefined || password === undefined || url.hostname === '' || port === 0) return undefined;
  // What is masked stands behind a name.
  if (username === '' && password !== '') return undefined;
  const user = url.username === '' ? '' : `${url.username}@`;
  return {
    scheme,
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port,
    username,
    password: new Secret(password),
    address: `${scheme}://${user}${url.hostname}:${port}`,
  };
};

const schemeOf = (given: string): OutboundProxy['scheme'] | undefined =>
  Object.hasOwn(SCHEMES, given) ? SCHEMES[given as keyof typeof SCHEMES] : undefined;

const plain = (encoded: string): string | undefined => {
  try {
    const text = decodeURIComponent(encoded);
    return Buffer.byteLength(text) > CREDENTIAL_MAX_BYTES ? undefined : text;
  } catch {
    return undefined;
  }
};

type Sends = Pick<Sender, 'send'>;

/** The same sender, where the channel has a proxy by way of it. */
export const through = (sender: Sends, proxy: OutboundProxy | undefined): Sends =>
  proxy === undefined ? sender : { send: (request, signal) => sender.send({ ...request, proxy }, signal) };

/** The same for WebSockets. */
export const connectThrough = (
  connect: ConnectSocket | undefined,
  proxy: OutboundProxy | undefined,
): ConnectSocket | undefined =>
  connect === undefined || proxy === undefined
    ? connect
    : (request, signal) => connect({ ...request, proxy }, signal);
