import { expect, it } from 'vitest';
import { safeReturn } from './safe-return.ts';

it('returns to pages of this site, filters included', () => {
  expect(safeReturn('/channel?edit=3&q=a%20b#x')).toBe('/channel?edit=3&q=a%20b#x');
});

it.each([
  '//evil.example',
  '/\\evil.example',
  'https://evil.example',
  'javascript:alert(1)',
  '/\t/evil.example',
  '/.//evil.example',
  '/a/..//evil.example/x',
  '/%2e//evil.example',
  '/.\\/evil.example',
  '/\t/[',
  ' //evil.example',
  '',
  '/login?expired=true',
  undefined,
])('refuses %s', (address) => {
  expect(safeReturn(address)).toBeUndefined();
});
