import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** Whether an address is on a list. */
export type IpList = (ip: string) => boolean;

/** The library also accepts `10.1` and `010.0.0.1`, as 10.0.0.1 and 8.0.0.1, which nobody means. */
const FOUR_DECIMALS = /^(?:0|[1-9]\d{0,2})(?:\.(?:0|[1-9]\d{0,2})){3}(?:\/\d+)?$/;

const everyone: IpList = () => true;

/** Parses one entry of a list as a range; undefined if it is invalid. `::ffff:1.2.3.4` is 1.2.3.4. */
export const parseIpRange = (line: string): readonly [Address, number] | undefined => {
  const text = line.replace(/[\s,]/g, '');
  if (!text.includes(':') && !FOUR_DECIMALS.test(text)) return undefined;
  try {
    if (!text.includes('/')) {
      const address = ipaddr.process(text);
      return [address, address.kind() === 'ipv4' ? 32 : 128];
    }
    const [address, bits] = ipaddr.parseCIDR(text);
    if (address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() && bits >= 96) {
      return [address.toIPv4Address(), bits - 96];
    }
    return [address, bits];
  } catch {
    return undefined;
  }
};

/**
 * Parses a token's list of IPv4 and IPv6 addresses and CIDR ranges, separated by lines or commas. An empty list lets
 * everyone in. A list with no valid entry lets nobody in, because its owner meant to restrict access.
 */
export const parseIpList = (text: string): IpList => {
  const lines = text
    .split(/[\n,]/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
  if (lines.length === 0) return everyone;
  const ranges = lines.map(parseIpRange).filter((range) => range !== undefined);
  return (ip) => {
    if (!ipaddr.isValid(ip)) return false;
    const address = ipaddr.process(ip);
    return ranges.some(([base, bits]) => base.kind() === address.kind() && address.match(base, bits));
  };
};
