import fc from 'fast-check';
import { expect, it } from 'vitest';
import { assertJsonBounds, endOfString } from './json-bounds.ts';

const refusal = (text: string): string | undefined => {
  try {
    assertJsonBounds(Buffer.from(text));
    return undefined;
  } catch (thrown) {
    return (thrown as Error).message;
  }
};

const LONG = 'x'.repeat(20_000);

it('brackets in brackets and a flood of values are refused before anything is parsed', () => {
  expect(refusal('['.repeat(1_000_000))).toMatch(/nests deeper/);
  expect(refusal(`{"pad":"${LONG}","x":${'{"a":'.repeat(300)}1${'}'.repeat(300)}}`)).toMatch(/nests deeper/);
  expect(refusal(`{"pad":"${LONG}","x":[${'1,'.repeat(600_000)}1]}`)).toMatch(/too many values/);
  expect(refusal(`[${'{},'.repeat(300_000)}1]`)).toMatch(/too many values/);
});

it('what is inside a string is text, however it is spelled', () => {
  const text = fc.array(fc.constantFrom('[', '{', ',', '"', '\\', '\\"', 'a', ']'), {
    minLength: 5000,
    maxLength: 20_000,
    size: 'max',
  });
  fc.assert(
    fc.property(text, (parts) => {
      const content = parts.join('');
      expect(refusal(JSON.stringify({ pad: LONG, content, more: [[[content]]] }))).toBeUndefined();
    }),
    { numRuns: 20 },
  );
});

it('siblings do not nest', () => {
  expect(
    refusal(JSON.stringify({ pad: LONG, list: Array.from({ length: 5000 }, () => [[]]) })),
  ).toBeUndefined();
});

it('a string ends at its first quote that is not escaped, however many are', () => {
  const piece = fc.constantFrom(
    '\\\\',
    '\\"',
    'a',
    '\\n',
    '\\\\'.repeat(600),
    '\\"'.repeat(600),
    'a'.repeat(1200),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
      const inside = pieces.join('');
      expect(endOfString(Buffer.from(`{"${inside}","`), 1)).toBe(inside.length + 2);
      expect(endOfString(Buffer.from(`{"${inside}`), 1)).toBe(-1);
    }),
    { numRuns: 300 },
  );
});
