import { expect, it } from 'vitest';
import { parseIpList, parseIpRange } from './ip-list.ts';

it.each([
  '10.0.0',
  '10',
  '010.0.0.1',
  '0x7f.0.0.1',
  '2130706433',
  '10.0.0.0/33',
  '10.0/8',
  '1.2.3.256',
  'x',
  '',
])('%s is no address of a list, whatever a library makes of it', (line) => {
  expect(parseIpRange(line)).toBeUndefined();
  expect(parseIpList(`${line},192.0.2.1`)('8.0.0.1')).toBe(false);
});

it.each([
  ['10.0.0.0/8', '10.9.9.9', '11.0.0.1'],
  ['0.0.0.0/0', '203.0.113.9', '::1'],
  ['2001:DB8::/32', '2001:db8:1::5', '2001:db9::1'],
  ['::ffff:1.2.3.0/120', '1.2.3.77', '1.2.4.1'],
  ['1.2.3.4', '::ffff:1.2.3.4', '1.2.3.5'],
])('%s lets %s in and keeps %s out', (list, inside, outside) => {
  expect([parseIpList(list)(inside), parseIpList(list)(outside)]).toEqual([true, false]);
});
