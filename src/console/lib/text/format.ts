import { type Language, language, t } from './i18n.ts';
import { numberText, significantText } from '#contract/numbers/number-text.ts';
import { siteStatus } from '../server/site-status.ts';
import { QUOTA_PER_UNIT, MONEY_DECIMALS_MAX } from '#contract/limits.ts';
import { DAY_S, HOUR_S } from './spans.ts';

/** Shown for what is not known; an unknown number is never shown as 0. */
export const MISSING = '—';

/**
 * `$1,234.56`; below a dollar four decimals, `$0.2000` and `$0.0129`, in lists as beside them; below a hundredth of a cent four
 * digits, `$0.00004213`. The minus is a true one, as wide as a plus.
 */
export const formatMoney = (dollars: number, leastDecimals = 4): string => {
  const sign = dollars < 0 ? '−' : '';
  const amount = Math.abs(dollars);
  if (amount === 0) return '$0.00';
  if (amount >= 0.99995) return `${sign}$${numberText(amount, 2)}`;
  if (amount >= 0.0001) return `${sign}$${numberText(amount, leastDecimals, Math.max(leastDecimals, 4))}`;
  return `${sign}$${significantText(amount, 4)}`;
};

/** Dollars that somebody chose, and those of an axis: no more than two decimals where two are enough. */
export const formatRoundMoney = (dollars: number): string => formatMoney(dollars, 2);

/** `9,999`, `12.3k` above ten thousand, `4.5M` above a million, `1.2B` above a billion. Source: specification, constants. */
export const formatCount = (count: number): string => {
  const amount = Math.abs(count);
  // From where the smaller unit would be rounded to 1000.0.
  if (amount >= 999.95e6) return `${(count / 1e9).toFixed(1)}B`;
  if (amount >= 999.95e3) return `${(count / 1e6).toFixed(1)}M`;
  if (amount >= 1e4) return `${(count / 1e3).toFixed(1)}k`;
  return numberText(count, 0, 3);
};

/** Every digit, for tooltips beside a rounded number. */
export const formatExact = (count: number): string => numberText(count, 0, 20);

interface QuotaDisplay {
  readonly quota_per_unit: number;
  readonly display_in_currency: boolean;
}

const quotaDisplay = (): QuotaDisplay =>
  siteStatus() ?? { quota_per_unit: QUOTA_PER_UNIT, display_in_currency: true };

/** Quota as the site shows it: dollars, or units with k, M and B. */
export const formatQuota = (units: number, display: QuotaDisplay = quotaDisplay()): string =>
  display.display_in_currency ? formatMoney(units / display.quota_per_unit) : formatCount(units);

/** The same for amounts that somebody chose, and the axis of a chart: `$0.20`. */
export const formatRoundQuota = (units: number, display: QuotaDisplay = quotaDisplay()): string =>
  display.display_in_currency ? formatRoundMoney(units / display.quota_per_unit) : formatCount(units);

/** Amounts in a column, all with the same number of decimals: four as soon as one is below a dollar. */
export const formatQuotaColumn = (
  units: readonly number[],
  display: QuotaDisplay = quotaDisplay(),
): readonly string[] => {
  const isSmall = units.some((one) => one > 0 && one / display.quota_per_unit < 0.99995);
  return units.map((one) => {
    const dollars = one / display.quota_per_unit;
    return display.display_in_currency && isSmall && (dollars === 0 || dollars >= 0.0001)
      ? `$${numberText(dollars, 4)}`
      : formatQuota(one, display);
  });
};

interface AddedUp {
  readonly parts: readonly string[];
  readonly sum: string;
}

/**
 * Parts of a sum and the sum as texts that add up: parts are rounded so that they do, those nearest to the next step first.
 * Units are exact; money has as many decimals as the smallest part needs, at most `MONEY_DECIMALS_MAX`.
 */
export const formatQuotaParts = (
  units: readonly number[],
  display: QuotaDisplay = quotaDisplay(),
): AddedUp => {
  if (!display.display_in_currency) return formatPartsExact(units);
  return moneyParts(units, display.quota_per_unit);
};

const smallestOf = (amounts: readonly number[]): number =>
  Math.min(...amounts.filter((one) => one > 0), Infinity);

const decimalsFor = (smallest: number): number =>
  smallest >= 1 ? 2 : smallest >= 0.001 || smallest === Infinity ? 4 : MONEY_DECIMALS_MAX;

const moneyParts = (
  amounts: readonly number[],
  perDollar: number,
  decimals = decimalsFor(smallestOf(amounts) / perDollar),
): AddedUp => {
  const sum = amounts.reduce((total, one) => total + one, 0);
  const step = perDollar / 10 ** decimals;
  const whole = amounts.map((one) => Math.floor(one / step));
  const total = Math.round(sum / step);
  const lacking = total - whole.reduce((before, one) => before + one, 0);
  const nearest = amounts
    .map((one, at) => ({ at, over: one / step - (whole[at] ?? 0) }))
    .toSorted((left, right) => right.over - left.over)
    .slice(0, lacking);
  for (const { at } of nearest) whole[at] = (whole[at] ?? 0) + 1;
  const shown = (steps: number): string =>
    `${steps < 0 ? '−' : ''}$${numberText(Math.abs(steps) / 10 ** decimals, decimals)}`;
  return { parts: whole.map(shown), sum: shown(total) };
};

/**
 * What is left of a total and what is used of it, which add up to it as they are shown. Only what is left decides how many
 * decimals a row has: the other two are known from it.
 */
export const formatQuotaLeft = (
  left: number,
  used: number,
  display: QuotaDisplay = quotaDisplay(),
): { readonly left: string; readonly used: string; readonly total: string } => {
  const seen = smallestOf([left, left + used]) / display.quota_per_unit;
  const { parts, sum } = display.display_in_currency
    ? moneyParts([left, used], display.quota_per_unit, seen === Infinity ? 2 : decimalsFor(seen))
    : { parts: [left, used].map(formatCount), sum: formatCount(left + used) };
  return { left: parts[0] ?? '', used: parts[1] ?? '', total: sum };
};

/** The same for dollars. */
export const formatMoneyParts = (dollars: readonly number[]): AddedUp => moneyParts(dollars, 1);

/** Parts and their sum for counts, to the last digit. */
export const formatPartsExact = (counts: readonly number[]): AddedUp => ({
  parts: counts.map(formatExact),
  sum: formatExact(counts.reduce((total, one) => total + one, 0)),
});

/** A quota in both ways of counting, for its tooltip: `617,283 units · $1.234566`. */
export const formatQuotaExact = (units: number, display: QuotaDisplay = quotaDisplay()): string =>
  t('format.quotaExact', {
    units: formatExact(units),
    money: `$${numberText(units / display.quota_per_unit, 4, 20)}`,
  });

/** `337 ms`, `2.32 s`, `42.5 s`, `1 min 35 s`, `5 min`; in Chinese `2.32 秒`, `1 分 35 秒`, `5 分钟`. */
export const formatDuration = (milliseconds: number, inLanguage: Language = language()): string => {
  const [ms, s, min, wholeMin] =
    inLanguage === 'zh' ? ['毫秒', '秒', '分', '分钟'] : ['ms', 's', 'min', 'min'];
  if (milliseconds < 999.5) return `${Math.round(milliseconds)} ${ms}`;
  if (milliseconds < 59_950) return `${(milliseconds / 1000).toFixed(milliseconds < 9995 ? 2 : 1)} ${s}`;
  const all = Math.round(milliseconds / 1000);
  const [minutes, seconds] = [Math.floor(all / 60), all % 60];
  return seconds === 0 ? `${minutes} ${wholeMin}` : `${minutes} ${min} ${seconds} ${s}`;
};

/** 0.123 → `12.3%`. */
export const formatPercent = (part: number): string => `${(part * 100).toFixed(1)}%`;

const two = (value: number): string => String(value).padStart(2, '0');

/** `2026-11-21 09:30:00` in the local zone, from unix seconds. */
export const formatTime = (unixSeconds: number): string => {
  const date = new Date(unixSeconds * 1000);
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
};

const steps = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', DAY_S],
  ['hour', HOUR_S],
  ['minute', 60],
] as const;

/** How many days, months or years from now have words of their own. */
const named = {
  'day -2': 'relative.beforeYesterday',
  'day -1': 'relative.yesterday',
  'day 1': 'relative.tomorrow',
  'day 2': 'relative.afterTomorrow',
  'month -1': 'relative.lastMonth',
  'month 1': 'relative.nextMonth',
  'year -1': 'relative.lastYear',
  'year 1': 'relative.nextYear',
} as const;
const hasName = (text: string): text is keyof typeof named => text in named;

/**
 * `3 minutes ago`, `in 2 days`, `3 分钟前`; within a minute `just now`. In our own words: the browser loads those of
 * `Intl.RelativeTimeFormat` for 25 ms, four times that on a slow machine, before it shows the first row of a list.
 */
export const formatRelative = (unixSeconds: number, nowMs: number = Date.now()): string => {
  const seconds = unixSeconds - nowMs / 1000;
  const step = steps.find(([, length]) => Math.abs(seconds) >= length);
  if (step === undefined) return t('format.justNow');
  const [unit, length] = step;
  const count = Math.trunc(seconds / length);
  const name = `${unit} ${String(count)}`;
  if (hasName(name)) return t(named[name]);
  return t(`relative.${unit}${count < 0 ? 'Ago' : 'Ahead'}`, { count: Math.abs(count) });
};

/** The letter of an account's picture; an emoji is more than one unit of its text. */
export const initialOf = (name: string): string => (Array.from(name)[0] ?? '').toUpperCase();

/** `sk-abcd…wxyz` */
export const maskKey = (key: string): string =>
  key.length <= 12 ? key : `${key.slice(0, 6)}…${key.slice(-4)}`;

/** A key's masked name within a text: no line break between `…` and its last characters. */
export const keptWhole = (keyName: string): string => keyName.replace(/^…/, '…\u2060');

/** A price of 0 is set on purpose and shown as a word; an amount of 0 is `$0.00`. */
const priceOf = (dollars: number, maximumFractionDigits: number): string =>
  dollars === 0 ? t('free') : `$${numberText(dollars, 2, maximumFractionDigits)}`;

/**
 * A price with every significant digit, because cents are too coarse for a million tokens of a small model. At most nine
 * digits: the rest is an artefact of ratios, 0.135 × 4.07407407 is $0.55.
 */
export const formatExactPrice = (dollars: number): string => priceOf(Number(dollars.toPrecision(9)), 12);

/** A price in a list: four places, or four digits of a small one; 2.421053 → `$2.4211`, 0.00012345 → `$0.0001235`. */
export const formatPrice = (dollars: number): string =>
  priceOf(dollars, dollars >= 0.1 || dollars <= 0 ? 4 : Math.min(12, 3 - Math.floor(Math.log10(dollars))));

/** Names in a row, with the comma of the reader's language. */
export const listed = (names: readonly string[]): string => names.join(language() === 'en' ? ', ' : '、');

const NAMES_IN_TIP = 12;

/** The first names of a list, and how many more there are. */
export const formatNames = (names: readonly string[]): string =>
  listed(names.slice(0, NAMES_IN_TIP)) +
  (names.length > NAMES_IN_TIP ? ` … +${names.length - NAMES_IN_TIP}` : '');

/**
 * The decimals of an amount as it is shown, at most the six that a quota unit has, so that a list price of less does not push
 * its column apart. A word has none.
 */
export const decimalsOf = (shown: string): number | undefined => /\.(\d{1,6})\d*$/.exec(shown)?.[1]?.length;

const roomName = (id: string): `--${string}` => `--room-${id}`;

/** The CSS variables of the decimals that columns of amounts have room for: as many as their longest of these rows. */
export const decimalRooms = <Row>(
  columns: readonly { readonly id: string; readonly amount?: (row: Row) => string }[],
  rows: readonly Row[],
): Readonly<Record<`--${string}`, number | undefined>> =>
  Object.fromEntries(
    columns.map(({ id, amount }) => [
      roomName(id),
      amount && Math.max(0, ...rows.map((row) => decimalsOf(amount(row)) ?? 0)),
    ]),
  );

/** The room of a column, as its cells read it. */
export const decimalRoom = ({ id, amount }: { readonly id: string; readonly amount?: object }) =>
  amount && { '--room': `var(${roomName(id)})` };
