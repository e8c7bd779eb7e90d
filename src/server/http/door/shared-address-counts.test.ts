import { expect, test } from 'vitest';
import { clearColumn, newAddressTable, sharedAddressCounts } from './shared-address-counts.ts';

test('the connections of an address are limited over all threads, and those of a dead thread are freed', () => {
  const table = newAddressTable(3, 'salt');
  const threads = [0, 1, 2].map((column) => sharedAddressCounts(table, column));
  const taken = Array.from({ length: 30 }, (_, at) => threads[at % 3]!.take('192.0.2.1', 10));
  expect(taken.filter(Boolean)).toHaveLength(10);
  expect(threads[0]!.take('192.0.2.2', 10)).toBe(true);
  threads[0]!.give('192.0.2.1');
  expect([threads[1]!.take('192.0.2.1', 10), threads[2]!.take('192.0.2.1', 10)]).toEqual([true, false]);
  // Of ten: three, four and three.
  clearColumn(table, 1);
  const again = Array.from({ length: 30 }, (_, at) => threads[at % 3]!.take('192.0.2.1', 10));
  expect(again.filter(Boolean)).toHaveLength(4);
});
