import { describe, expect, test } from 'vitest';
import { fitOf, typedWords, verbIn } from './match.ts';

const fit = (typed: string, ...texts: readonly [string, ...string[]]) => fitOf(typedWords(typed), ...texts);

describe('matching', () => {
  test('words match in any order, anywhere in the text, in upper or lower case', () => {
    expect(fit('rate lim', 'Rate limits')).toBe(3);
    expect(fit('LIM rate', 'Rate limits')).toBe(2);
    expect(fit('channel new', 'Add a channel', 'new create upstream')).toBe(1);
    expect(fit('rate dog', 'Rate limits', 'calls per minute')).toBe(0);
  });

  test('an empty search finds everything', () => {
    expect(fit('  ', 'Tokens')).toBeGreaterThan(0);
  });
});

describe('a verb and the name of a channel', () => {
  const words = { test: 'test,测试', off: 'switch off,off,停用', on: 'switch on,on,启用' };
  const found = (typed: string) => verbIn(typed, (verb) => words[verb]);

  test.each([
    ['test north', 'test', 'north'],
    ['Switch off  my channel', 'off', 'my channel'],
    ['off north', 'off', 'north'],
    ['测试north', 'test', 'north'],
    ['启用 备用', 'on', '备用'],
  ])('%s', (typed, verb, rest) => {
    expect(found(typed)).toEqual({ verb, rest });
  });

  test.each(['test', 'testing', 'one', 'office', 'north test', ''])('%s is a name, not a verb', (typed) => {
    expect(found(typed)).toBeUndefined();
  });
});
