import { expect, test } from 'vitest';
import { modelChanges } from './model-changes.ts';

test('what is new, what is chosen and what is gone are told apart; a mapped name is not gone', () => {
  expect(modelChanges(['a', 'b', 'c'], ['b', 'old', 'alias'], ['alias'])).toEqual({
    fresh: ['a', 'c'],
    kept: ['b'],
    gone: ['old'],
  });
});
