import { isIPv4 } from 'node:net';
import ipaddr from 'ipaddr.js';
import { parseIpList } from '#core/token/ip-list.ts';

/** Where a request comes from, as far as it can be trusted. */
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

/** The canonical form of an address, with IPv4 inside IPv6 as IPv4. Undefined if it is not an address. */
export const plainAddress = (text: string): string | undefined => {
  // Most are, and need no reading.
  if (isIPv4(text)) return text;
  return ipaddr.isValid(text) ? ipaddr.process(text).toString() : undefined;
};

/** A port after an IPv4 address, or after an IPv6 address in brackets: some proxies write it beside the address. */
const BESIDE_PORT = /^(?:\[([^\]]+)\]|([\d.]+))(?::\d{1,5})?$/;

/** The address of one entry of `X-Forwarded-For`. */
const hopOf = (entry: string): string | undefined => {
  const [, bracketed, plain] = BESIDE_PORT.exec(entry) ?? [];
  return plainAddress(bracketed ?? plain ?? entry);
};

/** Whether an address belongs to a trusted proxy. */
export const trustedBy = (trustedProxies: readonly string[]): ((ip: string) => boolean) => {
  const listed = parseIpList(trustedProxies.join('\n'));
  // An empty IP list would match every address.
  return (ip) => trustedProxies.length > 0 && listed(ip);
};

/**
 * The client's address: the socket's, unless the socket is a trusted proxy; then the rightmost address in
 * X-Forwarded-For that is not a trusted proxy. Addresses that a client puts into that header are ignored.
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
      .map((part) => hopOf(part.trim()))
      .reverse()) {
      if (hop === undefined) break;
      client = hop;
      if (!trusted(hop)) break;
    }
    // Each proxy in a chain may append its own scheme: the first is the browser's.
    const [spoken = ''] = (forwardedProto ?? '').split(',');
    return { ip: client, secure: spoken.trim().toLowerCase() === 'https' };
  };
};
