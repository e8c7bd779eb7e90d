import ipaddr from 'ipaddr.js';

/** The key of a limit per address: one IPv4 address, or the /64 network an IPv6 customer gets. */
export const addressKey = (ip: string): string => {
  if (!ipaddr.IPv6.isValid(ip)) return ip;
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${ip}/64`).toString()}/64`;
};
