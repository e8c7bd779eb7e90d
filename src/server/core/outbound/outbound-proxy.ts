import { Secret } from '../secrets/secret.ts';

/** The proxy of a channel's connections. The proxy resolves the upstream's name, not this server. */
export interface OutboundProxy {
  /** `https` means TLS to the proxy itself. */
  readonly scheme: 'http' | 'https' | 'socks5';
  readonly host: string;
  readonly port: number;
  readonly username: string;
  readonly password: Secret;
  /** Its address without the password: `socks5://user@proxy.example:1080`. */
  readonly address: string;
}

/** The field beside `proxy` in a channel's stored setting: the encrypted password. */
export const PROXY_PASSWORD = 'proxy_password';

/** Decrypts a password that was encrypted for this proxy address. */
export type OpenProxyPassword = (sealed: string, proxyAddress: string) => string;

const PORTS = { http: 80, https: 443, socks5: 1080 } as const;
const SCHEMES = { http: 'http', https: 'https', socks5: 'socks5', socks5h: 'socks5' } as const;
/** The longest user name or password in SOCKS (RFC 1929). */
const CREDENTIAL_MAX_BYTES = 255;

/** Parses `http://`, `https://` or `socks5://user:password@host:port`; undefined if it is none of these. */
export const parseProxy = (text: string): OutboundProxy | undefined => {
  const [, given = '', rest = ''] = /^([a-z0-9]+):\/\/([^\s/?#]+)\/?$/i.exec(text.trim()) ?? [];
  const scheme = schemeOf(given.toLowerCase());
  // `URL` checks and normalizes the host only for special schemes such as http.
  const at = `http://${rest}`;
  if (scheme === undefined || !URL.canParse(at)) return undefined;
  const url = new URL(at);
  const port = Number(/:(\d+)$/.exec(rest)?.[1] ?? PORTS[scheme]);
  const username = plain(url.username);
  const password = plain(url.password);
  if (username === undefined || password === undefined || url.hostname === '' || port === 0) return undefined;
  // Masking replaces the password after a user name, so a name is required.
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
