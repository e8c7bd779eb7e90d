import ipaddr from 'ipaddr.js';

/** Whom a limit per address counts: one IPv4 address, or the /64 an IPv6 customer is given. */
export const addressKey = (ip: string): string => {
  if (!ipaddr.IPv6.isValid(ip)) return ip;
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${ip}/64`).toString()}/64`;
};
