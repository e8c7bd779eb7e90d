import ipaddr from 'ipaddr.js';
import { parseIpList } from '#core/token/ip-list.ts';

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

/** An address in its shortest spelling; IPv4 inside IPv6 is IPv4. Undefined for what is none. */
export const plainAddress = (text: string): string | undefined =>
  ipaddr.isValid(text) ? ipaddr.process(text).toString() : undefined;

/** Whether an address is a trusted proxy's. */
export const trustedBy = (trustedProxies: readonly string[]): ((ip: string) => boolean) => {
  const listed = parseIpList(trustedProxies.join('\n'));
  // An empty list of this kind would let everybody in.
  return (ip) => trustedProxies.length > 0 && listed(ip);
};

/**
 * Reads the client's address: the socket's, unless the socket is a trusted proxy; then the rightmost address of
 * X-Forwarded-For that is not a trusted proxy itself. What a stranger writes into that header never counts.
 */
export const createClientAddress = (trustedProxies: readonly string[]) => {
  const trusted = trustedBy(trustedProxies);

  return ({ remoteAddress, forwardedFor, forwardedProto }: Connection): ClientAddress => {
    const peer = plainAddress(remoteAddress ?? '');
    if (peer === undefined) return { ip: '', secure: false };
    if (!trusted(peer)) return { ip: peer, secure: false };
    let client = peer;
    for (const hop of (forwardedFor ?? '')
      .split(',')
      .map((part) => plainAddress(part.trim()))
      .reverse()) {
      if (hop === undefined) break;
      client = hop;
      if (!trusted(hop)) break;
    }
    // Each proxy of a row may add its own: the first is what the browser spoke.
    const [spoken = ''] = (forwardedProto ?? '').split(',');
    return { ip: client, secure: spoken.trim().toLowerCase() === 'https' };
  };
};
