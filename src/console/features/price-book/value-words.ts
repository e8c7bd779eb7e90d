import {
  modelDimensions,
  type PriceDimensions,
  type PriceHours,
  priceParts,
  type PriceShares,
  weekdays,
} from '#contract/options/price-dimensions.ts';
import type { Translate } from '../../lib/text/i18n.ts';
import { type Change, type Value, valueText } from './price-changes.ts';

/** The texts of the price book and of the form for price dimensions. */
export interface Words {
  readonly book: Translate<'price-book'>;
  readonly form: Translate<'price-form'>;
}

const times = (factor: number): string => `×${factor}`;

/** The factors in words. A factor of 1 is included, because it may replace another. */
const sharesText = (shares: PriceShares, { form }: Words): string =>
  typeof shares === 'number'
    ? times(shares)
    : priceParts
        .flatMap((part) => {
          const factor = shares[part];
          return factor === undefined ? [] : [`${form(`part.${part}`)} ${times(factor)}`];
        })
        .join(' · ') || times(1);

const contextLines = (context: NonNullable<PriceDimensions['context']>, words: Words): string[] => {
  const { book, form } = words;
  const { counts, charges, steps } = context;
  if (steps.length === 0) return [book('words.noSteps')];
  return [
    ...steps.map((step) =>
      book(step.from === undefined ? 'words.above' : 'words.from', {
        tokens: (step.from ?? step.above ?? 0).toLocaleString('en-US'),
        price: sharesText(step, words),
      }),
    ),
    ...(charges === 'call'
      ? []
      : [book('words.pair', { name: form('charges.label'), value: form(`charges.${charges}`) })]),
    ...(counts === 'prompt'
      ? []
      : [book('words.pair', { name: form('counts.label'), value: form(`counts.${counts}`) })]),
  ];
};

const hoursLine = ({ zone, from, to, days, factor }: PriceHours, words: Words): string =>
  words.book('words.hours', {
    span: `${from}–${to} ${zone}`,
    days:
      days === undefined
        ? words.book('words.everyDay')
        : weekdays
            .filter((day) => days.includes(day))
            .map((day) => words.form(`day.${day}`))
            .join(' '),
    price: sharesText(factor, words),
  });

const mediaLines = (
  { seconds, resolutions = {} }: NonNullable<PriceDimensions['media']>,
  words: Words,
): string[] => [
  ...(seconds === undefined ? [] : [words.book('words.seconds', { count: seconds.usual })]),
  ...Object.entries(resolutions).map(([name, factor]) =>
    words.book('words.resolution', { name, price: times(factor) }),
  ),
];

const named = (
  key: 'words.tier' | 'words.speed' | 'words.place',
  table: Readonly<Record<string, PriceShares>> | undefined,
  words: Words,
): string[] =>
  Object.entries(table ?? {}).map(([name, shares]) =>
    words.book(key, { name, price: sharesText(shares, words) }),
  );

const dimensionLines = (dimensions: PriceDimensions, words: Words): string[] => {
  const { context, tiers = {}, speeds, places, hours = [], media = {}, ratios = {} } = dimensions;
  const atStep = Object.entries(tiers).filter(
    ([, tier]) => typeof tier === 'object' && tier.longContext === 'step',
  );
  return [
    ...(context === undefined ? [] : contextLines(context, words)),
    ...named('words.tier', tiers, words),
    ...atStep.map(([name]) => words.book('words.stepOnly', { name })),
    ...named('words.speed', speeds, words),
    ...named('words.place', places, words),
    ...hours.map((each) => hoursLine(each, words)),
    ...mediaLines(media, words),
    ...(['oneHour', 'imageInput', 'imageOutput', 'audioInput', 'audioOutput'] as const).flatMap((ratio) => {
      const factor = ratios[ratio];
      return factor === undefined ? [] : [`${words.book(`words.${ratio}`)} ${times(factor)}`];
    }),
  ];
};

/** A value in words, one line for each statement; undefined for a number, for none, and for unreadable values. */
export const valueLines = (
  option: Change['option'],
  value: Value,
  words: Words,
): readonly string[] | undefined => {
  if (value === null || typeof value === 'number') return undefined;
  if (option === 'PriceDimensions') {
    const read = modelDimensions.safeParse(value);
    return read.success ? dimensionLines(read.data, words) : undefined;
  }
  const entries = Object.entries(value);
  return entries.every((entry) => typeof entry[1] === 'number')
    ? entries.map(([name, factor]) => `${name} ${times(Number(factor))}`)
    : [valueText(value)];
};
