// @vitest-environment happy-dom
import { expect, it } from 'vitest';
import { pagesAround } from './pager.tsx';

it.each([
  [1, 1, [1]],
  [1, 3, [1, 2, 3]],
  [1, 9, [1, 2, undefined, 9]],
  [5, 9, [1, undefined, 4, 5, 6, undefined, 9]],
  [3, 9, [1, 2, 3, 4, undefined, 9]],
  [4, 6, [1, 2, 3, 4, 5, 6]],
  [9, 9, [1, undefined, 8, 9]],
])('page %d of %d shows %o', (page, last, shown) => {
  expect(pagesAround(page, last)).toEqual(shown);
});
