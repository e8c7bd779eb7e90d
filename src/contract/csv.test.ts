import { expect, it } from 'vitest';
import { threadMs } from '#core/testing/thread-time.ts';
import { csvLine } from './csv.ts';

it.each([
  '=1+1',
  '+1',
  '-1',
  '@SUM(A1)',
  '\tx',
  '\rx',
  '\n=1',
  '＝1',
  '＋1',
  '－1',
  '＠x',
  ' =1',
  '\uFEFF=1',
  '\u200B\u00A0@x',
  '\b=1',
  '\u001B@x',
  '\u0085+1',
  '\u3164=1',
  '\u2800-1',
  '\uFE661',
  '\u22121',
])('a cell that begins like a formula is text: %j', (text) => {
  expect(csvLine([text])).toMatch(/^"?'/);
});

it.each([
  ['a;=1+1', "a;'=1+1"],
  ['a; @x', "a; '@x"],
  ['a\t+1', "a\t'+1"],
  ['a\n=1+1', '"a\n\'=1+1"'],
  ['a\r\n @x', '"a\r\n \'@x"'],
  ['a|=1+1', "a|'=1+1"],
  // Split at the semicolon, this cell begins with two quotes, which are nothing, and then a formula.
  ['a;"=cmd;b', `"a;""'=cmd;b"`],
  ['a;\u200B\uFEFF=1', "a;\u200B\uFEFF'=1"],
  ['a;b=c', 'a;b=c'],
  ['a|b-c;d', 'a|b-c;d'],
])(
  '%j is no formula where a program splits at semicolons, bars, tabs or lines in quotes, either',
  (text, written) => {
    expect(csvLine([text])).toBe(`${written}\r\n`);
  },
);

it('quotes, commas and line breaks stay inside their cell', () => {
  expect(csvLine(['a,b', 'say "hi"', 'two\nlines', '=cmd|" /C calc"!A1'])).toBe(
    '"a,b","say ""hi""","two\nlines","\'=cmd|"" /C calc""!A1"\r\n',
  );
});

it('numbers and other text are as they are', () => {
  expect(csvLine([12, 0, 'gpt-5', '名字', '', 'a=b'])).toBe('12,0,gpt-5,名字,,a=b\r\n');
});

/** A blank that is also a sign that is not seen: a search that tries it as either would take hours. */
const BOTH = '\uFEFF';

it.each(['\t', '\n', ';', ' ', '"', '\u200B', '; ', ';"', BOTH, `"${BOTH}`, `;${BOTH}`])(
  'a cell of nothing but %j is written at once',
  (sign) => {
    const cell = sign.repeat(1_000_000);
    let line = '';
    // A quadratic search would take a minute.
    expect(threadMs(() => void (line = csvLine([cell])))).toBeLessThan(5000);
    expect(line.length).toBeGreaterThan(cell.length);
  },
);
