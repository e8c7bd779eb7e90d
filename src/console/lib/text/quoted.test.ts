import fc from 'fast-check';
import { expect, it } from 'vitest';
import { codeText, shellWord } from './quoted.ts';

const hostile = [
  'gpt"; echo acted; "',
  "gpt'; echo acted; '",
  'gpt$(echo acted)',
  'gpt`echo acted`',
  'gpt${HOME}',
  'gpt\necho acted',
  'gpt\\',
  'gpt\\"; echo acted #',
  'gpt!!',
  '~/gpt*',
  '名字 ‘gpt’',
];

it.each(hostile)('in a shell, %j is one word, and nothing in it is executed', (text) => {
  const word = shellWord(text);
  expect([word[0], word.at(-1)]).toEqual(["'", "'"]);
  // Between single quotes nothing has a meaning but the next one (POSIX, 2.2.2).
  const inside = word.slice(1, -1);
  expect(inside.replaceAll("'\\''", '')).not.toContain("'");
  expect(inside.replaceAll("'\\''", "'")).toBe(text);
});

it.each(hostile)('in PowerShell, no character that it reads as a quote ends %j', (text) => {
  const word = shellWord(text, 'powershell');
  expect([word[0], word.at(-1)]).toEqual(["'", "'"]);
  expect(word.slice(1, -1).replaceAll(/(['\u2018-\u201B])\1/g, '')).not.toMatch(/['\u2018-\u201B]/);
});

it('usual names stay as people write them', () => {
  expect(shellWord('openai/gpt-5.2:free')).toBe('"openai/gpt-5.2:free"');
  expect([codeText('gpt-5'), codeText('gpt-5', "'")]).toEqual(['"gpt-5"', "'gpt-5'"]);
});

it('a program gets the exact text, in both kinds of quotes', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const single = codeText(text, "'").slice(1, -1);
      expect(single.replaceAll(/\\./g, '')).not.toMatch(/['\n\r]/);
      expect(JSON.parse(codeText(text))).toBe(text);
      expect(JSON.parse(`"${single.replaceAll("\\'", "'")}"`)).toBe(text);
    }),
  );
});
