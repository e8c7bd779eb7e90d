import { expect, test } from 'vitest';
import { modelChanges } from './model-changes.ts';

test('new, selected and missing models are told apart, and a mapped name is not missing', () => {
  expect(modelChanges(['a', 'b', 'c'], ['b', 'old', 'alias'], ['alias'])).toEqual({
    fresh: ['a', 'c'],
    kept: ['b'],
    gone: ['old'],
  });
});
