import { expect, test } from 'vitest';
import { addressGuard, checkOutboundUrl } from './outbound-guard.ts';

test.each([
  '169.254.169.254',
  '::ffff:169.254.169.254',
  '::ffff:a9fe:a9fe',
  '64:ff9b::a9fe:a9fe',
  '2002:a9fe:a9fe::',
  '169.254.170.2',
  'fd00:ec2::254',
  'fd00:0ec2:0:0:0:0:0:254',
  '100.100.100.200',
  '192.0.0.192',
  '168.63.129.16',
])('%s, where a cloud tells its machines their keys, is allowed by nobody', (address) => {
  expect(addressGuard({ allowPrivate: true })(address)).toBe(false);
  expect(addressGuard({ allowPrivate: false })(address)).toBe(false);
  const url = `http://${address.includes(':') ? `[${address}]` : address}/latest`;
  for (const allowPrivate of [true, false])
    expect(() => checkOutboundUrl(url, { allowPrivate })).toThrow('where a cloud tells');
});
