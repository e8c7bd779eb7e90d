import fc from 'fast-check';
import { expect, it } from 'vitest';
import { threadMs } from '../testing/thread-time.ts';
import { createWordMatcher } from './word-matcher.ts';

/** The rule, implemented slowly and simply. */
const read = (text: string): string =>
  text
    .replace(/[\p{Default_Ignorable_Code_Point}\p{Cf}]|(?!\s)\p{Cc}/gu, '')
    .normalize('NFKC')
    .toLowerCase()
    .replace(/(?=\p{Script=Inherited}|[\u0483-\u0489])\p{M}/gu, '')
    .replaceAll('ς', 'σ');
const hasWord = (text: string, word: string): boolean =>
  text.toLowerCase().includes(word.toLowerCase()) || (read(word) !== '' && read(text).includes(read(word)));

const spelt = fc.constantFrom(
  'a',
  'A',
  'b',
  'ａ',
  'Ｂ',
  '𝐚',
  'é',
  'e\u0301',
  'e',
  '\u0336',
  '\u200b',
  '\u00ad',
  '\u034f',
  '\ufeff',
  '\0',
  '词',
  '詞',
  '가',
  '\u1100\u1161',
  '\u11a8',
  'Σ',
  'ς',
  'İ',
  'ſ',
  'K',
  '😀',
  '\u{e0061}',
  ' ',
  '/',
  '.',
  '(',
);

it('finds a word by its lower-case or its look-alike form, in the same way by search, table and hash', () => {
  const word = fc.string({ unit: spelt, minLength: 1, maxLength: 4 });
  // `many` has too many words for plain search, `wide` too many characters for a table.
  const many = Array.from({ length: 40 }, (_, at) => `zz${at}`);
  const wide = Array.from({ length: 3000 }, (_, at) => `z${String.fromCharCode(0x4e00 + at, 0x5e00 + at)}`);
  const wideTail = wide.join('\n');
  fc.assert(
    fc.property(
      fc.array(word, { maxLength: 5 }),
      fc.string({ unit: spelt, maxLength: 20 }),
      fc.constantFrom('', many.join('\n')),
      (words, text, others) => {
        const listed = words.map((one) => one.trim()).filter((one) => one !== '');
        const found = createWordMatcher(`${listed.join('\n')}\n${others}`).find(text);
        expect([found !== undefined, found === undefined || hasWord(text, found)]).toEqual([
          listed.some((one) => hasWord(text, one)),
          true,
        ]);
      },
    ),
    // An invisible word in an invisible text.
    {
      numRuns: 1000,
      examples: [
        [['\0'], '\0', ''],
        [['\0'], 'A\0', many.join('\n')],
      ],
    },
  );
  fc.assert(
    fc.property(
      fc.array(word, { maxLength: 3 }),
      fc.string({ unit: spelt, maxLength: 20 }),
      (words, text) => {
        const listed = words.map((one) => one.trim()).filter((one) => one !== '');
        const found = createWordMatcher(`${listed.join('\n')}\n${wideTail}`).find(text);
        expect(found !== undefined).toBe(listed.some((one) => hasWord(text, one)));
      },
    ),
    { numRuns: 20 },
  );
});

it('finds what is spelt in another way in a text that comes in pieces, however it is cut', () => {
  const words = fc.array(fc.string({ unit: spelt, minLength: 1, maxLength: 3 }), { maxLength: 4 });
  const pieces = fc.array(fc.string({ unit: spelt, maxLength: 4 }), { maxLength: 6 });
  fc.assert(
    fc.property(words, pieces, (listed, cut) => {
      // The only letter whose lower case depends on what follows is a final sigma.
      fc.pre(!listed.some((word) => /[σςΣ]/i.test(word)));
      const matcher = createWordMatcher(listed.join('\n'));
      const find = matcher.follow();
      const isFound = cut.map((piece) => find(piece)).some((one) => one !== undefined);
      // A word found early still counts, even if a later piece changes it.
      expect(isFound || matcher.find(cut.join('')) === undefined).toBe(true);
    }),
    { numRuns: 1000 },
  );
});

it('finds words that are split or decorated', () => {
  const { find } = createWordMatcher('forbidden phrase\n违禁词');
  for (const text of [
    'forb\u200bidden phrase',
    'for\u00adbidden\u2060 phrase',
    'forbid\u034fden phrase',
    'ｆｏｒｂｉｄｄｅｎ　ｐｈｒａｓｅ',
    '𝖋𝖔𝖗𝖇𝖎𝖉𝖉𝖊𝖓 phrase',
    'f\u0336o\u0336rbidden phrase',
    'forbidden\u00a0phrase',
    'forb\0idden phrase',
    'forbidden\u{e0020} phrase',
  ])
    expect.soft(find(text), JSON.stringify(text)).toBe('forbidden phrase');
  expect(find('违\u200d禁\ufe0f词')).toBe('违禁词');
});

it('reads letters under heaps of accents in time that grows with their number, not with its square', () => {
  const { find } = createWordMatcher('forbidden');
  const tookMs = threadMs(() => {
    // Accents above and below in turns: a library that orders one heap of them takes ten seconds.
    const heap = '\u0301\u0316'.repeat(50_000);
    expect(find(`forb${heap}idden`)).toBe('forbidden');
    expect(find(`harmless${heap}`)).toBeUndefined();
    expect(find('\u0301'.repeat(5_000_000))).toBeUndefined();
    expect(find(`for${'\u{1d165}\u{1d16d}'.repeat(50_000)}`)).toBeUndefined();
  });
  expect(tookMs).toBeLessThan(2000);
});
