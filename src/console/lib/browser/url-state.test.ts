import { expect, it } from 'vitest';
import { parseUrl, writeUrl } from './url-state.ts';

it('keeps texts unchanged, including numbers and quotes', () => {
  const state = { q: '12', name: 'a b&c="d"', type: 'true' };
  expect(parseUrl(writeUrl(state))).toEqual(state);
});

it('leaves out empty values', () => {
  expect(writeUrl({ q: '', page: undefined, type: '1' })).toBe('?type=1');
  expect(writeUrl({ q: '' })).toBe('');
});
