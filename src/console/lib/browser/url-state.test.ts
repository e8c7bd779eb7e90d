import { expect, it } from 'vitest';
import { parseUrl, writeUrl } from './url-state.ts';

it('keeps texts as they are, numbers and quotes too', () => {
  const state = { q: '12', name: 'a b&c="d"', type: 'true' };
  expect(parseUrl(writeUrl(state))).toEqual(state);
});

it('leaves out what is empty', () => {
  expect(writeUrl({ q: '', page: undefined, type: '1' })).toBe('?type=1');
  expect(writeUrl({ q: '' })).toBe('');
});
