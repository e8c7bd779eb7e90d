import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AppError } from '../error.ts';
import { decimalSignOf, inPlaces, statedNumber } from './file-numbers.ts';
import { fileShapes, guessColumns } from './file-shapes.ts';
import { FileText } from './file-text.ts';
import { dateOrderOf, FileTimes } from './file-times.ts';
import { TableReader } from './table-reader.ts';

/** Files of upstreams are read exactly or refused with the line. */

const readText = (...pieces: string[]) => {
  const table = new TableReader();
  const rows = pieces.flatMap((piece) => [...table.add(piece)]);
  return { rows: [...rows, ...table.add('', 'last')], header: table.header };
};
const refusal = (read: () => unknown): unknown => {
  try {
    return read();
  } catch (thrown) {
    return thrown instanceof AppError ? [thrown.reason, thrown.values?.['line']] : thrown;
  }
};

it('a table is the same in whatever pieces it arrives, with its quotes, line breaks and delimiters', () => {
  const cell = fc.string({ unit: fc.constantFrom('a', '"', ',', '\n', ';', '\r', ' ', '中'), maxLength: 5 });
  const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;
  fc.assert(
    fc.property(
      fc.array(fc.tuple(cell, cell), { maxLength: 8 }),
      fc.constantFrom('\n', '\r\n'),
      fc.constantFrom(',', ';', '\t', '|'),
      fc.nat(200),
      (rows, lineEnd, delimiter, cut) => {
        const lines = [['one', 'two'], ...rows].map((row) => row.map(quoted).join(delimiter));
        const text = lines.join(lineEnd);
        const expected = rows.filter((row) => row.some((one) => one.trim() !== ''));
        for (const read of [
          readText(text),
          readText(text.slice(0, cut), text.slice(cut)),
          readText(...text.split('')),
        ])
          expect(read.rows.map(({ cells }) => cells)).toEqual(expected);
      },
    ),
    { numRuns: 60 },
  );
});

it('rows have the line they begin at', () => {
  const { rows } = readText('a,b\n1,"x\ny"\n\n2,z\n');
  expect(rows.map(({ line }) => line)).toEqual([2, 5]);
});

describe('a hostile table is refused by its line', () => {
  it.each([
    ['a quote that is never closed', 'a,b\n1,2\n3,"4\n5,6\n', 'reconcile_open_quote', 3],
    ['text behind a quote', 'a,b\n1,"2"x\n', 'reconcile_open_quote', 2],
    ['a line of megabytes', `a,b\n1,${'x'.repeat(5_000_000)}\n`, 'reconcile_long_line', 2],
    ['a quoted cell of megabytes', `a,b\n1,"${'x\n'.repeat(100_000)}"\n`, 'reconcile_open_quote', 2],
    ['too many columns', `a,b\n${','.repeat(1000)}\n`, 'reconcile_wide_row', 2],
    ['broken JSON', '{"a":1,"b":2}\n{"a":\n', 'reconcile_bad_json', 2],
    ['a list of JSON', '[{"a":1}]', 'reconcile_json_list', undefined],
    ['nothing', '', 'reconcile_no_header', undefined],
    ['one column', 'a\n1\n2\n', 'reconcile_no_header', undefined],
  ])('%s', (_, text, reason, line) => {
    expect(refusal(() => readText(text))).toEqual([reason, line]);
    expect(refusal(() => readText(text.slice(0, 5), text.slice(5)))).toEqual([reason, line]);
  });
});

it('lines before the titles are passed over, and a named delimiter counts', () => {
  expect(readText('Invoice 7\n\nday;cost\n2026-01-01;1\n').rows[0]?.cells).toEqual(['2026-01-01', '1']);
  expect(readText('sep=|\na|b,c\n1|2,3\n').rows[0]?.cells).toEqual(['1', '2,3']);
});

it('JSON lines have the fields of the first, also within objects', () => {
  const { header, rows } = readText('{"at":"x","usage":{"in":5}}\n{"usage":{"in":1e-7},"more":1}\n');
  expect(header).toEqual(['at', 'usage.in']);
  expect(rows.map(({ cells }) => cells)).toEqual([
    ['x', '5'],
    ['', '1e-7'],
  ]);
});

it('text is read in UTF-8, UTF-16 and GB 18030, and what is none is refused', () => {
  const textOf = (...pieces: Uint8Array[]): string => {
    const text = new FileText();
    return pieces.map((piece) => text.add(piece)).join('') + text.end();
  };
  const utf8 = Buffer.from('\uFEFF时间,a');
  expect(textOf(utf8)).toBe('时间,a');
  expect(textOf(...[...utf8].map((byte) => Uint8Array.of(byte)))).toBe('时间,a');
  expect(textOf(Buffer.from('\uFEFF时间', 'utf16le'))).toBe('时间');
  expect(textOf(Uint8Array.of(0xca, 0xb1, 0xbc, 0xe4, 0x2c, 0x61))).toBe('时间,a');
  expect(textOf()).toBe('');
  expect(refusal(() => textOf(Buffer.from('PK\u0003\u0004zip')))).toEqual(['reconcile_packed', undefined]);
  expect(refusal(() => textOf(Buffer.from('a,b\0c')))).toEqual(['reconcile_not_text', undefined]);
  expect(refusal(() => textOf(Uint8Array.of(0xff, 0xff, 0xff, 0xff, 0x20)))).toEqual([
    'reconcile_not_text',
    undefined,
  ]);
});

it('numbers are read exactly in one way or not at all', () => {
  const nano = (cell: string, sign: 'point' | 'comma' = 'point') => {
    const stated = statedNumber(cell, sign);
    return stated && inPlaces(stated, 9);
  };
  expect(nano('1,234.56')).toBe(1_234_560_000_000n);
  expect(nano('1.234,56', 'comma')).toBe(1_234_560_000_000n);
  expect(nano('1.234,56')).toBeUndefined();
  expect(nano('0,5')).toBeUndefined();
  expect(nano('$-0.003835980000000000000000000000')).toBe(-3_835_980n);
  expect(nano('(1.5)')).toBe(-1_500_000_000n);
  expect(nano('−¥ 2')).toBe(-2_000_000_000n);
  expect(nano('0.5-')).toBe(-500_000_000n);
  expect(nano('US$ -1’234.5')).toBe(-1_234_500_000_000n);
  expect(nano('1,25E-05', 'comma')).toBe(12_500n);
  expect(nano('3.625e-9')).toBe(4n);
  expect(nano('1e99')).toBe(10n ** 108n);
  for (const none of ['NaN', 'Infinity', '', '-', '.', '1.2.3', '-1-', '0x10', '1e999', '9'.repeat(61), '十'])
    expect(nano(none)).toBeUndefined();
  expect(decimalSignOf(['0,5', '1.234,5', '7'])).toBe('comma');
  expect(decimalSignOf(['1,234', '0.25', '7'])).toBe('point');
  expect(decimalSignOf(['1,234', '12'])).toBe('point');
  // Small amounts as spreadsheets write them.
  expect(decimalSignOf(['1,2E-05', '4,9525E-05', '1E-06'])).toBe('comma');
  expect(decimalSignOf(['1.2e-05', '1,234'])).toBe('point');
});

it('times are read in the ways that exports write them', () => {
  const times = new FileTimes('Asia/Shanghai', 'month-first');
  const at = (cell: string) => {
    const read = times.read(cell);
    return read && `${new Date(read.atMs).toISOString().slice(0, -5)}${read.isDay ? ' day' : ''}`;
  };
  const noon = '2026-11-29T04:00:00';
  const ways =
    '2026-11-29T12:00:00+08:00|2026-11-29 12:00:00|2026/11/29 12:00|2026-11-29T04:00:00.123Z|2026-11-29 04:00:00 UTC|' +
    '2026-11-29 04:00:00 +0000|1795924800|1795924800000|11/29/2026 12:00 PM|2026年11月29日 12:00|' +
    'Nov 29, 2026, 12:00 PM|29 November 2026 12:00|20261129 12:00|29.11.2026 12:00';
  for (const cell of ways.split('|')) expect(at(cell), cell).toBe(noon);
  expect(at('2026-11-29')).toBe('2026-11-28T16:00:00 day');
  expect(at('20261129')).toBe('2026-11-28T16:00:00 day');
  for (const cell of [
    '2026-02-30',
    '2026-13-01',
    '25:00',
    'yesterday',
    '46000',
    '',
    '2026-11-29 99:00',
    '2026-11-29 x',
  ])
    expect(at(cell), cell).toBeUndefined();
  const berlin = new FileTimes('Europe/Berlin', 'day-first');
  expect(berlin.read('03/10/2026')?.atMs).toBe(Date.UTC(2026, 9, 2, 22));
  // The day when clocks go back has 25 hours.
  const start = berlin.read('2026-10-25')?.atMs ?? 0;
  expect(berlin.endOfDay(start) - start).toBe(25 * 3_600_000);
  expect(berlin.dayOf(start + 24.5 * 3_600_000)).toBe(start);
  expect(dateOrderOf(['13/01/2026'])).toBe('day-first');
  expect(dateOrderOf(['01/02/2026', '01/13/2026'])).toBe('month-first');
  expect(dateOrderOf(['01/02/2026'])).toBeUndefined();
  expect(dateOrderOf(['2026-01-02'])).toBe('none');
});

it('each known file is recognised by its own titles, and others by usual ones', () => {
  for (const { name, columns, knownBy } of fileShapes) {
    const header = [...new Set([...knownBy, ...Object.values(columns).flat()])];
    expect(guessColumns(header)).toEqual({ shape: name, columns });
  }
  expect(guessColumns(['日期', 'Model', '费用', 'note'])).toEqual({
    shape: undefined,
    columns: { time: ['日期'], model: ['Model'], cost: ['费用'] },
  });
});
