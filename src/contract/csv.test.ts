import { expect, it } from 'vitest';
import { csvLine } from './csv.ts';

it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\tx', '\rx', '＝1', '＋1', '－1', '＠x'])(
  'a cell that begins like a formula is text: %j',
  (text) => {
    expect(csvLine([text])).toMatch(/^"?'/);
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
