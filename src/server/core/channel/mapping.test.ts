import { expect, it } from 'vitest';
import { mapModel } from './mapping.ts';

it.each([
  [
    { a: 'b', b: 'c', c: 'd' },
    { model: 'd', mapped: true },
  ],
  [{ a: 'a' }, { model: 'a', mapped: false }],
  [{ a: '' }, { model: 'a', mapped: false }],
  [
    { a: 'b', b: '' },
    { model: 'b', mapped: true },
  ],
  [{ a: 'b', b: 'a' }, { cycleAt: 'a' }],
  [{ b: 'c' }, { model: 'a', mapped: false }],
  [{}, { model: 'a', mapped: false }],
  [
    { a: 'b', b: 'b' },
    { model: 'b', mapped: true },
  ],
  [{ a: 'b', b: 'c', c: 'b' }, { cycleAt: 'b' }],
])('%j leads from a to %j', (mapping, led) => {
  expect(mapModel(new Map(Object.entries(mapping)), 'a')).toEqual(led);
});
