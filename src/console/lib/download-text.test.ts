import { expect, it } from 'vitest';
import { csvOf } from './download-text.ts';

it('a table reaches a spreadsheet as it is, and nothing in it becomes a formula', () => {
  expect(
    csvOf([
      ['time', 'a,b'],
      ['=1+1', 'say "hi" now'],
      ['@x', '12'],
    ]),
  ).toBe('\uFEFFtime,"a,b"\r\n\'=1+1,"say ""hi"" now"\r\n\'@x,12');
});
