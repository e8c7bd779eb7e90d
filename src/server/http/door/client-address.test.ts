import { expect, it } from 'vitest';
import { addressKey } from '#core/address-key.ts';
import { createClientAddress } from './client-address.ts';

const seen = (trusted: string[], remoteAddress: string, forwardedFor?: string, forwardedProto?: string) =>
  createClientAddress(trusted)({ remoteAddress, forwardedFor, forwardedProto });

it.each([
  [
    'a stranger is who its socket says, whatever it writes',
    [],
    '203.0.113.5',
    '1.2.3.4',
    'https',
    '203.0.113.5',
    false,
  ],
  ['an empty list trusts nobody', [], '127.0.0.1', '1.2.3.4', 'https', '127.0.0.1', false],
  ['a trusted proxy is believed', ['127.0.0.1'], '127.0.0.1', '1.2.3.4', 'https', '1.2.3.4', true],
  [
    'the rightmost stranger counts',
    ['10.0.0.0/8'],
    '10.0.0.1',
    '6.6.6.6, 1.2.3.4, 10.0.0.2',
    undefined,
    '1.2.3.4',
    false,
  ],
  [
    'what does not read ends the chain',
    ['10.0.0.0/8'],
    '10.0.0.1',
    '1.2.3.4, nonsense',
    undefined,
    '10.0.0.1',
    false,
  ],
  [
    'of a row of proxies the first says what the browser spoke',
    ['::1'],
    '::1',
    '',
    'https, http',
    '::1',
    true,
  ],
  [
    'a port beside an address is left out',
    ['10.0.0.0/8'],
    '10.0.0.1',
    '1.2.3.4:5678',
    'https',
    '1.2.3.4',
    true,
  ],
  [
    'so it is beside one of IPv6, and with a proxy behind it',
    ['10.0.0.0/8', '2001:db8::/32'],
    '10.0.0.1',
    '[2001:7f8::5]:80, [2001:db8::1]:443 ,10.0.0.9:1',
    undefined,
    '2001:7f8::5',
    false,
  ],
  [
    'what only looks like that ends the chain',
    ['10.0.0.1'],
    '10.0.0.1',
    '1.2.3.4:x',
    undefined,
    '10.0.0.1',
    false,
  ],
  ['IPv4 inside IPv6 is IPv4', ['127.0.0.1'], '::ffff:127.0.0.1', '::ffff:1.2.3.4', 'HTTPS', '1.2.3.4', true],
] as const)('%s', (_, trusted, remote, forwardedFor, proto, ip, secure) => {
  expect(seen([...trusted], remote, forwardedFor, proto)).toEqual({ ip, secure });
});

it('limits count one IPv4 address, and the /64 of an IPv6 customer', () => {
  expect(addressKey('203.0.113.5')).toBe('203.0.113.5');
  expect(addressKey('2001:db8:1:2:aaaa::1')).toBe(addressKey('2001:db8:1:2:bbbb::9'));
  expect(addressKey('2001:db8:1:3::1')).not.toBe(addressKey('2001:db8:1:2::1'));
});
