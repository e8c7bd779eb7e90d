import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { capturesOf, fits, globOf, replaced } from './glob.ts';

describe('a pattern', () => {
  it.each([
    ['claude-*-latest', 'claude-sonnet-latest', ['sonnet']],
    ['claude-*-latest', 'claude--latest', ['']],
    ['claude-*-latest', 'claude-latest', undefined],
    ['*', '', ['']],
    ['a*a', 'a', undefined],
    ['a*b*c', 'axbbyc', ['x', 'by']],
    ['gpt-4o', 'gpt-4o', []],
    ['gpt-4o', 'gpt-4o-mini', undefined],
    [String.raw`\*x`, '*x', []],
    [String.raw`\*x`, 'yx', undefined],
    ['a.c', 'abc', undefined],
  ])('%s takes %s as %j', (pattern, text, captures) => {
    expect(capturesOf(globOf(pattern), text)).toEqual(captures);
  });

  it('captures what makes the text again, whatever both are', () => {
    const part = fc.stringMatching(/^[ab-]{0,6}$/);
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 5 }), part, (literals, filling) => {
        const text = literals.join(filling);
        const captures = capturesOf(literals, text);
        // Filled with something, the text surely fits.
        expect(captures).toBeDefined();
        expect(literals.reduce((made, literal, at) => made + (captures?.[at - 1] ?? '') + literal)).toBe(
          text,
        );
      }),
    );
  });

  it('is decided in one pass, however hard it is made', () => {
    const text = 'a'.repeat(1_000_000);
    expect(fits(globOf('*a*a*a*b'), text)).toBe(false);
    expect(replaced(globOf('a*a*a*b'), text, 'x', 1e9)).toBe(text);
  }, 5000);
});

describe('what is replaced', () => {
  it.each([
    ['cat', 'a cat and a cat', 'dog', 'a dog and a dog'],
    ['<*>', 'a <b> c <d>', '', 'a  c '],
    ['a*', 'bab', '-', 'b-'],
    ['*b', 'aab-', 'x', 'x-'],
    [String.raw`\*\*`, 'so **bold**', '', 'so bold'],
    ['*', 'all of it', 'nothing', 'nothing'],
    ['x', 'none here', 'y', 'none here'],
  ])('%s in %s by %s', (pattern, text, by, after) => {
    expect(replaced(globOf(pattern), text, by, 1000)).toBe(after);
  });

  it('never grows beyond its bound', () => {
    expect(replaced(globOf('a'), 'a'.repeat(100), 'b'.repeat(100), 5000)).toBeUndefined();
    expect(replaced(globOf('a'), 'a'.repeat(100), 'b'.repeat(100), 10_000)).toHaveLength(10_000);
  });
});
