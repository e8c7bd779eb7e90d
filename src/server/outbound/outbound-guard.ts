import type { LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { promisify } from 'node:util';
import ipaddr from 'ipaddr.js';
import { type MessageKey, say } from '#contract/messages.ts';
import { AppError } from '#core/error.ts';
import type { AddressGuard } from '#core/outbound/outbound.ts';
import { type LookupAll, lookUpOwn, lookUpStrangers } from './lookup-once.ts';

/** Parts of the IPv4 space that are not global unicast (IANA special-purpose registry, RFC 6890), and multicast. */
const REFUSED_IPV4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  // A public address by its number, but on Azure it is every machine's own host.
  '168.63.129.16/32',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
].map((range) => ipaddr.IPv4.parseCIDR(range));

/** Everything outside 2000::/3 is refused; inside it these are. */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3');
const REFUSED_IPV6 = ['2001::/23', '2001:db8::/32', '3fff::/20'].map((range) => ipaddr.IPv6.parseCIDR(range));

/** Ranges whose addresses contain an IPv4 address, and the byte it starts at: mapped, NAT64 (RFC 6052), 6to4. */
const CARRIERS = (
  [
    ['::ffff:0:0/96', 12],
    ['64:ff9b::/96', 12],
    ['2002::/16', 2],
  ] as const
).map(([range, at]) => ({
  range: ipaddr.IPv6.parseCIDR(range),
  at,
}));

/** Whether an IP address (text, with or without a zone) is on the public internet. Invalid text is not. */
export const isPublicAddress: AddressGuard = (address) => {
  // Only canonical spellings, as in resolver results and URLs. `ipaddr` alone would accept octal and the like.
  if (isIP(address) === 0) return false;
  const parsed = bareAddress(address);
  if (parsed instanceof ipaddr.IPv4) return isPublicIpv4(parsed);
  if (parsed === undefined || (parsed.zoneId ?? '') !== '') return false;
  return parsed.match(GLOBAL_IPV6) && !REFUSED_IPV6.some((range) => parsed.match(range));
};

/**
 * Parses an address. An IPv6 address that contains an IPv4 address gives the IPv4 address. Undefined if the text is no
 * address.
 */
const bareAddress = (address: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined => {
  const text = hexOf(address);
  if (!ipaddr.isValid(text)) return undefined;
  const parsed = ipaddr.parse(text);
  if (parsed instanceof ipaddr.IPv4) return parsed;
  const carrier = CARRIERS.find(({ range }) => parsed.match(range));
  if (carrier === undefined) return parsed;
  return new ipaddr.IPv4(parsed.toByteArray().slice(carrier.at, carrier.at + 4));
};

/**
 * The metadata addresses of clouds, which give a machine its credentials: Amazon, Google, Azure and others, Amazon's
 * tasks, Alibaba, Oracle, Azure's host. No model runs there, so permission for private addresses does not include
 * them.
 */
const METADATA: ReadonlySet<string> = new Set([
  '169.254.169.254',
  '169.254.170.2',
  '169.254.170.23',
  'fd00:ec2::254',
  'fd00:ec2::23',
  '100.100.100.200',
  '192.0.0.192',
  '168.63.129.16',
]);

const isMetadata = (address: string): boolean => METADATA.has(bareAddress(address)?.toString() ?? '');

/** In hex, because `ipaddr` reads `::8.8.8.8` as the mapped `::ffff:8.8.8.8`. */
const hexOf = (address: string): string => {
  if (!address.includes(':') || !address.includes('.')) return address;
  const url = `http://[${address}]/`;
  return URL.canParse(url) ? new URL(url).hostname.slice(1, -1) : '';
};

const isPublicIpv4 = (address: ipaddr.IPv4): boolean => !REFUSED_IPV4.some((range) => address.match(range));

/** The guard of this installation: any address but clouds' metadata if private ones are allowed, else the public internet. */
export const addressGuard = ({ allowPrivate }: { readonly allowPrivate: boolean }): AddressGuard =>
  allowPrivate ? (address) => !isMetadata(address) : isPublicAddress;

/** The error of an address that the guard refuses; it does not name the address. */
export const refusedAddress = (): AppError =>
  new AppError('upstream_failed', 'the address of the upstream is not allowed', {
    reason: 'address_refused',
  });

/**
 * A `lookup` for `net.connect` that fails unless every address of the name is allowed, because a name with one private
 * address may be an attack. The connection uses the checked addresses.
 */
export const guardedLookup =
  (allow: AddressGuard, lookupAll: LookupAll = lookUpOwn): LookupFunction =>
  (hostname, options, callback) => {
    lookupAll(hostname, { ...options, all: true }, (error, addresses) => {
      const first = addresses?.[0];
      if (error !== null || first === undefined) {
        callback(error ?? Object.assign(new Error('the name has no address'), { code: 'ENOTFOUND' }), '');
      } else if (!addresses.every(({ address }) => allow(address))) {
        callback(refusedAddress(), '');
      } else if (options.all === true) {
        callback(null, addresses);
      } else {
        callback(null, first.address, first.family);
      }
    });
  };

interface UrlTerms {
  readonly allowPrivate: boolean;
  /** The message for an address inside the network. */
  readonly whenPrivate?: MessageKey;
}

/**
 * Checks an address an admin or user typed before anything is sent there. Throws `invalid_request` saying what is
 * wrong. Names are checked again when they are resolved: this only catches what can be seen.
 */
export const checkOutboundUrl = (
  text: string,
  { allowPrivate, whenPrivate = 'address_private' }: UrlTerms,
): URL => {
  const refuse = (reason: MessageKey): never => {
    throw new AppError('invalid_request', say(reason, 'en'), { reason });
  };
  const url = URL.canParse(text) ? new URL(text) : refuse('address_not_url');
  if (url.protocol !== 'http:' && url.protocol !== 'https:') refuse('address_scheme');
  if (url.username !== '' || url.password !== '') refuse('address_credentials');
  const host = url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  if (host === '') refuse('address_no_host');
  if (isMetadata(host)) refuse('address_metadata');
  if (allowPrivate) return url;
  if (isIP(host) !== 0 ? !isPublicAddress(host) : isLocalName(host)) refuse(whenPrivate);
  return url;
};

/** Whether a name exists only in the local network. */
export const isLocalName = (host: string): boolean =>
  // A trailing dot is not part of the name.
  !host.slice(0, -1).includes('.') ||
  /(?:^|\.)(?:localhost|local|internal|intranet|lan|home|corp|localdomain|home\.arpa)\.?$/i.test(host);

/**
 * Checks an address that somebody else will fetch for us. Throws `upstream_failed` if its host is, or leads to, an
 * address that is not allowed. A name that does not resolve here is allowed, because only the other network may know
 * it.
 */
export const createTargetCheck =
  (
    { allowPrivate }: { readonly allowPrivate: boolean },
    addressesOf: (host: string) => Promise<readonly LookupAddress[]> = (host) =>
      promisify(lookUpStrangers)(host, { all: true }),
  ) =>
  async (url: string): Promise<void> => {
    if (allowPrivate) return;
    const host = new URL(url).hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
    const addresses = isIP(host) === 0 ? await addressesOf(host).catch(() => []) : [{ address: host }];
    const isInside = isIP(host) === 0 && isLocalName(host);
    if (isInside || !addresses.every(({ address }) => isPublicAddress(address))) throw refusedAddress();
  };
