import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { AppError } from '#core/error.ts';
import {
  addressGuard,
  checkOutboundUrl,
  guardedLookup,
  createTargetCheck,
  isPublicAddress,
} from './outbound-guard.ts';

/** Not global unicast, in every range and at its edges. */
const REFUSED = [
  '0.0.0.0',
  '0.1.2.3',
  '10.0.0.0',
  '10.255.255.255',
  '100.64.0.0',
  '100.127.255.255',
  '127.0.0.1',
  '127.255.255.254',
  '169.254.0.1',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.1',
  '192.0.0.171',
  '192.0.2.1',
  '192.88.99.1',
  '192.168.0.1',
  '192.168.255.255',
  '198.18.0.1',
  '198.19.255.255',
  '198.51.100.7',
  '203.0.113.9',
  '224.0.0.1',
  '239.255.255.255',
  '240.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::7f00:1',
  '::127.0.0.1',
  '::8.8.8.8',
  '::ffff:127.0.0.1',
  '::ffff:7f00:1',
  '::ffff:10.0.0.1',
  '::ffff:169.254.169.254',
  '0:0:0:0:0:ffff:c0a8:1',
  '::ffff:0:127.0.0.1',
  '64:ff9b::7f00:1',
  '64:ff9b::10.0.0.1',
  '64:ff9b::169.254.169.254',
  '64:ff9b:1::8.8.8.8',
  '100::1',
  '2001::1',
  '2001:0:4136:e378:8000:63bf:3fff:fdd2',
  '2001:10::1',
  '2001:20::1',
  '2001:db8::1',
  '2002:7f00:1::',
  '2002:a00:1::1',
  '2002:c0a8:101::1',
  '3fff::1',
  '4000::1',
  '5f00::1',
  'fc00::1',
  'fd12:3456::1',
  'fe80::1',
  'fe80::1%eth0',
  'fec0::1',
  'ff02::1',
  'ff0e::1',
];

const PUBLIC = [
  '1.1.1.1',
  '8.8.8.8',
  '9.255.255.255',
  '11.0.0.0',
  '100.63.255.255',
  '100.128.0.0',
  '126.255.255.255',
  '128.0.0.1',
  '169.253.255.255',
  '169.255.0.0',
  '172.15.255.255',
  '172.32.0.0',
  '192.0.1.0',
  '192.167.255.255',
  '192.169.0.0',
  '198.17.255.255',
  '198.20.0.0',
  '223.255.255.255',
  '2606:4700:4700::1111',
  '2a00:1450:4001:80b::200e',
  '2001:4860:4860::8888',
  '2001:200::1',
  '::ffff:8.8.8.8',
  '64:ff9b::8.8.8.8',
  '2002:808:808::1',
];

/** Spellings that are addresses to some parsers: none of them may count as public. */
const NOT_AN_ADDRESS = [
  '',
  ' ',
  'localhost',
  '127.1',
  '127.0.1',
  '0177.0.0.1',
  '0x7f.0.0.1',
  '0x7f000001',
  '2130706433',
  '8.8.8.8 ',
  ' 8.8.8.8',
  '8.8.8.8.',
  '8.8.8',
  '8.8.8.256',
  '08.8.8.8',
  '[::1]',
  '::1]',
  '1.1.1.1:80',
  '1.1.1.1/8',
  ':::',
  'example.com',
  '８.８.８.８',
];

describe('which addresses are of the public internet', () => {
  test.each(REFUSED)('%s is not', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  test.each(PUBLIC)('%s is', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  test.each(NOT_AN_ADDRESS)('"%s" is not an address, so it is not', (text) => {
    expect(isPublicAddress(text)).toBe(false);
  });

  test('an IPv4 address is judged the same inside IPv6, and nothing makes it throw', () => {
    fc.assert(
      fc.property(fc.ipV4(), (address) => {
        expect(isPublicAddress(`::ffff:${address}`)).toBe(isPublicAddress(address));
        expect(isPublicAddress(`64:ff9b::${address}`)).toBe(isPublicAddress(address));
      }),
    );
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.ipV6()), (text) => {
        expect(typeof isPublicAddress(text)).toBe('boolean');
      }),
    );
  });

  test('private upstreams are allowed only by the installation', () => {
    expect(addressGuard({ allowPrivate: true })('127.0.0.1')).toBe(true);
    expect(addressGuard({ allowPrivate: false })('127.0.0.1')).toBe(false);
  });
});

describe('an address somebody typed', () => {
  const refusal = (text: string): string => {
    try {
      checkOutboundUrl(text, { allowPrivate: false });
    } catch (thrown) {
      if (thrown instanceof AppError) return `${thrown.code}: ${thrown.message}`;
    }
    return 'accepted';
  };

  test.each([
    'http://127.0.0.1/',
    'http://127.1/',
    'http://0177.0.0.1/',
    'http://0x7f.1/',
    'http://2130706433/',
    'http://017700000001/',
    'http://0/',
    'http://[::1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[::ffff:7f00:1]/',
    'http://[0:0:0:0:0:0:0:1]/',
    'http://[fe80::1]/',
    'http://[64:ff9b::a9fe:a9fe]/',
    'http://[2002:7f00:1::]/',
    'http://169.254.169.254/latest/meta-data',
    'http://168.63.129.16/machine?comp=goalstate',
    'http://db./',
    'http://①②⑦.0.0.1/',
    'http://127.0.0.1./',
    'http://127。0。0。1/',
    'http://localhost/',
    'http://LOCALHOST:3000',
    'http://localhost./',
    'http://a.localhost/',
    'http://metadata.google.internal/',
    'http://router.lan/',
    'http://intranet/',
    'http://printer.local/',
    'http://db.home.arpa/',
    'https://10.1.2.3:8443/v1',
    'http://192.168.1.1%2f@8.8.8.8/',
    'http://8.8.8.8@127.0.0.1/',
    'http://user:pw@example.com/',
    'http://user@example.com/',
    'ftp://example.com/',
    'file:///etc/passwd',
    'gopher://example.com/',
    'javascript:alert(1)',
    'data:text/plain,x',
    'example.com',
    '//example.com',
    '',
    'http://',
    'http://[',
    'unix:/var/run/docker.sock',
    'http://0x7f.0x0.0x0.0x1/',
    'http://0300.0250.1.1/',
  ])('%s is refused', (text) => {
    expect(refusal(text)).toMatch(/^invalid_request: the address /);
  });

  test.each([
    'https://api.openai.com',
    'https://example.com:8443/v1',
    'http://8.8.8.8/',
    'https://[2606:4700::1111]/',
    'https://bücher.example/',
  ])('%s is accepted', (text) => {
    expect(refusal(text)).toBe('accepted');
  });

  test('where private upstreams are allowed, shape still counts', () => {
    expect(checkOutboundUrl('http://127.0.0.1:11434', { allowPrivate: true }).port).toBe('11434');
    expect(() => checkOutboundUrl('http://u:p@127.0.0.1', { allowPrivate: true })).toThrow('user name');
    expect(() => checkOutboundUrl('file:///etc/passwd', { allowPrivate: true })).toThrow('http');
  });
});

describe('a name', () => {
  const resolve = (name: string, allowPrivate: boolean, all = false) =>
    new Promise<unknown>((done) => {
      guardedLookup(addressGuard({ allowPrivate }))(name, { all }, (error, address) =>
        done(error ?? address),
      );
    });

  test('that leads to a private address is refused when it is resolved', async () => {
    expect(await resolve('localhost', false)).toBeInstanceOf(AppError);
    expect(await resolve('localhost', false, true)).toBeInstanceOf(AppError);
    expect(await resolve('localhost', true)).toMatch(/^(?:127\.|::1)/);
  });

  test('that does not exist is an error, not an address', async () => {
    expect(await resolve('no-such-host.invalid', false)).toBeInstanceOf(Error);
  });
});

describe('an address that a worker fetches for us', () => {
  const names: Readonly<Record<string, readonly string[]>> = {
    'public.example': ['93.184.216.34', '2606:2800:21f:cb07:6820:80da:af6b:8b2c'],
    'trap.example': ['93.184.216.34', '169.254.169.254'],
    'mapped.example': ['::ffff:10.0.0.1'],
  };
  const addressesOf = (host: string) => {
    const found = names[host]?.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
    return found === undefined ? Promise.reject(new Error('ENOTFOUND')) : Promise.resolve(found);
  };
  const check = createTargetCheck({ allowPrivate: false }, addressesOf);

  test.each([
    'https://trap.example/a.png',
    'https://mapped.example:8443/',
    'https://[::1]/',
    'https://2130706433/',
    'https://intranet/',
  ])('%s is refused', async (url) => {
    await expect(check(url)).rejects.toBeInstanceOf(AppError);
  });

  test.each(['https://public.example/a.png', 'https://unknown.example/', 'https://93.184.216.34/'])(
    '%s is not',
    async (url) => {
      await expect(check(url)).resolves.toBeUndefined();
    },
  );

  test('all are allowed where private upstreams are', async () => {
    await expect(
      createTargetCheck({ allowPrivate: true }, addressesOf)('https://127.0.0.1/'),
    ).resolves.toBeUndefined();
  });
});
