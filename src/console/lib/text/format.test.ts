// @vitest-environment happy-dom
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import {
  decimalRoom,
  decimalRooms,
  decimalsOf,
  formatCount,
  formatDuration,
  formatExactPrice,
  formatMoney,
  formatPercent,
  formatPrice,
  formatQuota,
  formatRoundMoney,
  initialOf,
  formatRoundQuota,
  formatQuotaColumn,
  formatQuotaLeft,
  formatQuotaParts,
  formatRelative,
  formatTime,
  formatMoneyParts,
  keptWhole,
  listed,
  maskKey,
} from './format.ts';
import { setLanguage } from './i18n.ts';

const dollars = { quota_per_unit: 500_000, display_in_currency: true };
const units = { quota_per_unit: 500_000, display_in_currency: false };

describe('a price', () => {
  it.each([
    [2.421053, '$2.4211', '$2.421053'],
    [2, '$2.00', '$2.00'],
    [1.0125, '$1.0125', '$1.0125'],
    [0.0375, '$0.0375', '$0.0375'],
    [0.0123456, '$0.01235', '$0.0123456'],
    [0.00000012345, '$0.0000001235', '$0.00000012345'],
    [1234.56789, '$1,234.5679', '$1,234.56789'],
    [0.54999999999, '$0.55', '$0.55'],
    [0.034999999965, '$0.035', '$0.035'],
  ])('%d reads %s in a list, and %s in full', (usd, shown, exact) => {
    expect(formatPrice(usd)).toBe(shown);
    expect(formatExactPrice(usd)).toBe(exact);
  });

  it('of 0 is called free, because it was set so; an amount of 0 is not', async () => {
    await setLanguage('en');
    expect([formatPrice(0), formatExactPrice(0), formatMoney(0)]).toEqual(['Free', 'Free', '$0.00']);
    await setLanguage('zh');
    expect([formatPrice(0), formatExactPrice(0), formatMoney(0)]).toEqual(['免费', '免费', '$0.00']);
  });

  it('above 0 is never shown as 0', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1_000_000_000 }), (billionths) => {
        expect(formatPrice(billionths / 1e9)).not.toMatch(/^\$0\.0*$/);
      }),
    );
  });
});

describe('money', () => {
  it('has the same decimals in all lines of a list: four if one is below a dollar', () => {
    const column = (...usd: number[]) =>
      formatQuotaColumn(
        usd.map((one) => one * 500_000),
        dollars,
      );
    expect(column(1.23, 0.3, 0.1704, 0)).toEqual(['$1.2300', '$0.3000', '$0.1704', '$0.0000']);
    expect(column(1234.5, 1)).toEqual(['$1,234.50', '$1.00']);
    expect(column(2, 0.00001)).toEqual(['$2.0000', '$0.00001']);
    expect(formatQuotaColumn([12_345, 10], units)).toEqual(['12.3k', '10']);
  });

  it('has two decimals from a dollar on and four below, everywhere; only a round amount has fewer', () => {
    expect(formatMoney(1234.5)).toBe('$1,234.50');
    expect(formatMoney(1)).toBe('$1.00');
    expect(formatMoney(0.99996)).toBe('$1.00');
    expect(formatMoney(0.012932)).toBe('$0.0129');
    expect(formatMoney(0.5)).toBe('$0.5000');
    expect([0.5, 0.0125].map(formatRoundMoney)).toEqual(['$0.50', '$0.0125']);
    expect(formatMoney(0.0129, 6)).toBe('$0.012900');
    expect(formatMoney(12.5, 6)).toBe('$12.50');
    expect(formatMoney(0)).toBe('$0.00');
    expect(formatMoney(-3)).toBe('−$3.00');
  });

  it('keeps four significant digits of smaller amounts, so that a cheap call is never shown as free', () => {
    expect(formatMoney(0.00042)).toBe('$0.0004');
    expect(formatMoney(0.0000123456)).toBe('$0.00001235');
    expect(formatMoney(0.000002)).toBe('$0.000002');
  });
});

it('displayed parts add up to the displayed sum, in money and in units', () => {
  const cents = (text: string): number => Math.round(Number(text.replace(/[$,]/g, '')) * 1e6);
  fc.assert(
    fc.property(
      fc.array(fc.nat(900_000_000), { minLength: 1, maxLength: 12 }),
      fc.boolean(),
      (parts, isMoney) => {
        const shown = formatQuotaParts(parts, isMoney ? dollars : units);
        expect(shown.parts.reduce((sum, one) => sum + cents(one), 0)).toBe(cents(shown.sum));
      },
    ),
  );
  expect(formatQuotaParts([166_667, 166_667, 166_666], dollars)).toEqual({
    parts: ['$0.3334', '$0.3333', '$0.3333'],
    sum: '$1.0000',
  });
});

describe('what is left of a total', () => {
  it('has four decimals below a dollar, as has its total, and two from a dollar on', () => {
    const shown = (left: number, used: number) =>
      Object.values(formatQuotaLeft(left * 5e5, used * 5e5, dollars));
    expect(shown(0.2, 4.8)).toEqual(['$0.2000', '$4.8000', '$5.0000']);
    expect(shown(150.504, 0.496)).toEqual(['$150.50', '$0.50', '$151.00']);
    expect(shown(0, 0.5)).toEqual(['$0.0000', '$0.5000', '$0.5000']);
    expect(shown(0, 12)).toEqual(['$0.00', '$12.00', '$12.00']);
    expect(shown(0, 0)).toEqual(['$0.00', '$0.00', '$0.00']);
    expect(shown(0.00042, 1)).toEqual(['$0.000420', '$1.000000', '$1.000420']);
    expect(Object.values(formatQuotaLeft(12_345, 10, units))).toEqual(['12.3k', '10', '12.4k']);
  });

  it('has its minus before the dollar where an account owes', () => {
    const { left, total } = formatQuotaLeft(-5_000_000, 0, dollars);
    expect([left, total]).toEqual(['−$10.00', '−$10.00']);
  });

  it('adds up with what is used, whatever both are', () => {
    const cents = (text: string): number => Math.round(Number(text.replace(/[$,]/g, '')) * 1e6);
    fc.assert(
      fc.property(fc.nat(9_000_000), fc.nat(9_000_000), (left, used) => {
        const shown = formatQuotaLeft(left, used, dollars);
        expect(cents(shown.left) + cents(shown.used)).toBe(cents(shown.total));
      }),
    );
  });
});

it('names in a row have the comma of the reader', async () => {
  await setLanguage('en');
  expect(listed(['vip', 'svip'])).toBe('vip, svip');
  await setLanguage('zh');
  expect(listed(['vip', 'svip'])).toBe('vip、svip');
});

it('the first letter of a name is a whole one', () => {
  expect(['alice', '李雷', '😀 bob', ''].map(initialOf)).toEqual(['A', '李', '😀', '']);
});

describe('counts', () => {
  it.each([
    [9999, '9,999'],
    [10_000, '10.0k'],
    [999_949, '999.9k'],
    [999_950, '1.0M'],
    [999_949_999, '999.9M'],
    [999_950_000, '1.0B'],
    [1_000_000, '1.0M'],
    [2_500_000_000, '2.5B'],
    [-12_345, '-12.3k'],
  ])('shows %d as %s', (count, shown) => {
    expect(formatCount(count)).toBe(shown);
  });
});

describe('quota', () => {
  it('is dollars or units, as the site says', () => {
    expect(formatQuota(500_000, dollars)).toBe('$1.00');
    expect(formatQuota(100_000, dollars)).toBe('$0.2000');
    expect(formatRoundQuota(100_000, dollars)).toBe('$0.20');
    expect(formatQuota(1, dollars)).toBe('$0.000002');
    expect(formatQuota(617_283, units)).toBe('617.3k');
  });
});

describe('durations, parts, times and keys', () => {
  it.each([
    [337, '337 ms'],
    [2321, '2.32 s'],
    [9_994, '9.99 s'],
    [42_500, '42.5 s'],
    [59_949, '59.9 s'],
    [59_950, '1 min'],
    [95_000, '1 min 35 s'],
    [300_000, '5 min'],
  ])('shows %d ms as %s', (ms, shown) => {
    expect(formatDuration(ms, 'en')).toBe(shown);
  });

  it('shows every unit of a duration in the language of the reader', () => {
    const shown = [337, 9_260, 42_500, 95_000, 300_000].map((ms) => formatDuration(ms, 'zh'));
    expect(shown).toEqual(['337 毫秒', '9.26 秒', '42.5 秒', '1 分 35 秒', '5 分钟']);
  });

  it('shows one decimal of a percentage', () => {
    expect(formatPercent(0.1234)).toBe('12.3%');
  });

  it('shows the local time in full', () => {
    expect(formatTime(new Date(2026, 0, 5, 7, 8, 9).getTime() / 1000)).toBe('2026-01-05 07:08:09');
  });

  it('has no line break between the dots and the last characters of a key', () => {
    expect(keptWhole('…wxyz')).toBe('…\u2060wxyz');
    expect(keptWhole('of the team… or so')).toBe('of the team… or so');
  });

  it('rounds parts of dollars so that they add up', () => {
    expect(formatMoneyParts([0.00125, 0.00125, 0.00125])).toEqual({
      parts: ['$0.0013', '$0.0013', '$0.0012'],
      sum: '$0.0038',
    });
  });

  it.each(['zh', 'en'] as const)('says how long ago or ahead something is as %s does', async (language) => {
    await setLanguage(language);
    const said = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
    const units = { minute: 60, hour: 3600, day: 86_400, month: 2_592_000, year: 31_536_000 } as const;
    for (const [unit, seconds] of Object.entries(units))
      for (const count of [-11, -2, -1, 1, 2, 3])
        expect(formatRelative(seconds * count, 0)).toBe(
          said.format(count, unit as keyof typeof units).replace(/(\d)(?=\p{Script=Han})/u, '$1 '),
        );
    await setLanguage('zh');
    expect(formatRelative(1000, 1000_000 + 3 * 60_000)).toBe('3 分钟前');
    expect(formatRelative(59, 0)).toBe('刚刚');
  });

  it('hides the middle of a key', () => {
    expect(maskKey('sk-abcdefghijklmnopqrstuvwxyz')).toBe('sk-abc…wxyz');
  });
});

it('shows amounts and times without formatters of the browser, whose data takes longer to load than a page of numbers', () => {
  const made = [vi.spyOn(Intl, 'NumberFormat'), vi.spyOn(Intl, 'RelativeTimeFormat')];
  const one = vi.spyOn(Number.prototype, 'toLocaleString');
  const shown = [formatMoney(0.501), formatMoney(0.00004213), formatCount(9999), formatRelative(1, 0)];
  expect(shown).toEqual(['$0.5010', '$0.00004213', '9,999', '刚刚']);
  expect([...made, one].map(({ mock }) => mock.calls.length)).toEqual([0, 0, 0]);
  vi.restoreAllMocks();
});

it('a column has room for the most decimals that one of its amounts has, whatever other columns have', () => {
  const amount = (row: { readonly shown: string }) => row.shown;
  const rooms = (...shown: string[]) =>
    decimalRooms(
      [{ id: 'cost', amount }, { id: 'name' }],
      shown.map((one) => ({ shown: one })),
    )['--room-cost'];
  expect(rooms('$20.00', '$1.00')).toBe(2);
  expect(rooms('$2.4211', 'Free', '', '$0.60')).toBe(4);
  expect(rooms('$0.00007', '$0.0012')).toBe(5);
  expect(rooms('$0.00004213')).toBe(6);
  expect(rooms('12.3k', '9,999')).toBe(0);
  expect(decimalRoom({ id: 'cost', amount })).toEqual({ '--room': 'var(--room-cost)' });
  expect(['$0.135', 'Free', '12.3k'].map(decimalsOf)).toEqual([3, undefined, undefined]);
});
