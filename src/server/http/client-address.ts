import ipaddr from 'ipaddr.js';

/** Where a request really comes from, as far as it can be trusted. */
export interface ClientAddress {
  readonly ip: string;
  /** The browser spoke https, to us or to a trusted proxy. */
  readonly secure: boolean;
}

interface Connection {
  readonly remoteAddress: string | undefined;
  readonly forwardedFor: string | undefined;
  readonly forwardedProto: string | undefined;
}

type Range = readonly [ipaddr.IPv4 | ipaddr.IPv6, number];

/** `10.0.0.0/8` or a single address, as a range. Throws on anything else. */
export const parseRange = (text: string): Range =>
  text.includes('/') ? ipaddr.parseCIDR(text) : [ipaddr.process(text), ipaddr.process(text).kind() === 'ipv4' ? 32 : 128];

const within = (address: ipaddr.IPv4 | ipaddr.IPv6, range: Range): boolean =>
  address.kind() === range[0].kind() && address.match(range[0], range[1]);

const plain = (text: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined =>
  ipaddr.isValid(text) ? ipaddr.process(text) : undefined;

/**
 * Reads the client's address: the socket's, unless the socket is a trusted proxy; then the rightmost address of
 * X-Forwarded-For that is not a trusted proxy itself. What a stranger writes into that header never counts.
 */
export const createClientAddress = (trustedProxies: readonly string[]) => {
  const ranges = trustedProxies.map(parseRange);
  const trusted = (address: ipaddr.IPv4 | ipaddr.IPv6): boolean => ranges.some((range) => within(address, range));

  return ({ remoteAddress, forwardedFor, forwardedProto }: Connection): ClientAddress => {
    const peer = plain(remoteAddress ?? '');
    if (peer === undefined) return { ip: '', secure: false };
    if (!trusted(peer)) return { ip: peer.toString(), secure: false };
    let client = peer;
    for (const hop of (forwardedFor ?? '').split(',').map((part) => plain(part.trim())).reverse()) {
      if (hop === undefined) break;
      client = hop;
      if (!trusted(hop)) break;
    }
    return { ip: client.toString(), secure: forwardedProto?.trim().toLowerCase() === 'https' };
  };
};

/** Whom a limit per address counts: one IPv4 address, or the /64 an IPv6 customer is given. */
export const addressKey = (ip: string): string => {
  const address = plain(ip);
  if (address === undefined || address.kind() === 'ipv4') return ip;
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${ip}/64`).toString()}/64`;
};
