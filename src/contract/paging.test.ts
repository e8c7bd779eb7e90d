import { expect, it } from 'vitest';
import { z } from 'zod';
import { endpoints } from './api/endpoints.ts';
import { pageQuery, sizeOf } from './paging.ts';

const query = z.object(pageQuery);
const asked = (sent: Record<string, string>): [number, number] => {
  const read = query.parse(sent);
  return [read.p, sizeOf(read)];
};

it.each(['', '0', '1', '-1', '-99', 'x', '1.5', 'NaN', '1e400', ' '])('page "%s" is the first', (p) => {
  expect(asked({ p })).toEqual([1, 10]);
});

it.each(['', '0', '-1', 'x', '2.5', '1e400'])('size "%s" is the usual one, under every name', (rows) => {
  for (const name of ['page_size', 'ps', 'size']) expect(asked({ [name]: rows })).toEqual([1, 10]);
});

it('a page and a size are as they are asked for, at most a hundred rows and ten million pages', () => {
  expect(asked({})).toEqual([1, 10]);
  expect(asked({ p: '3', page_size: '20' })).toEqual([3, 20]);
  expect(asked({ ps: '50' })).toEqual([1, 50]);
  expect(asked({ size: '100' })).toEqual([1, 100]);
  expect(asked({ page_size: '0', size: '30' })).toEqual([1, 30]);
  expect(asked({ p: '99999999999', page_size: '101' })).toEqual([10_000_000, 100]);
});

const sorted = endpoints.filter(({ query }) => query !== undefined && 'sort' in query.shape);

it.each(sorted)('$path is not refused where it is sorted by what is no column of it', ({ query }) => {
  for (const sort of ['nothing', 'id desc', '-', '__proto__', "name' or 1=1--", ''])
    expect(query?.parse({ sort })).toMatchObject({ sort: undefined });
});
