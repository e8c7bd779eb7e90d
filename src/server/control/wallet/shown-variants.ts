import { firstToken, type PriceDimensions, type PriceHours } from '#contract/options/price-dimensions.ts';
import { allShares } from '#core/quota/price-variants.ts';

/** A line of the price list: the condition of a different price, and its factor to the usual one. */
export interface ShownVariant {
  readonly kind: 'step' | 'excess' | 'tier' | 'speed' | 'place' | 'hours' | 'seconds' | 'resolution';
  /** A number of prompt tokens, a word, or hours as text. */
  readonly name: string;
  readonly input: number;
  readonly output: number;
  readonly call: number;
}

/** The conditions a price depends on, in the order in which readers ask for them. */
export const shownVariants = (dimensions: PriceDimensions = {}): readonly ShownVariant[] => {
  const { context, tiers = {}, speeds = {}, places = {}, hours = [], media = {} } = dimensions;
  const line = (kind: ShownVariant['kind'], name: string, shares: Parameters<typeof allShares>[0]) => {
    const { input, output, call } = allShares(shares);
    return { kind, name, input, output, call };
  };
  const named = (kind: 'tier' | 'speed' | 'place', table: NonNullable<PriceDimensions['tiers']>) =>
    Object.entries(table).map(([name, shares]) => line(kind, name, shares));
  return [
    ...(context?.steps ?? []).map((step) =>
      line(context?.charges === 'excess' ? 'excess' : 'step', String(firstToken(step) - 1), step),
    ),
    ...named('tier', tiers),
    ...named('speed', speeds),
    ...named('place', places),
    ...hours.map((each) => line('hours', hoursText(each), each.factor)),
    ...(media.seconds === undefined ? [] : [line('seconds', String(media.seconds.usual), 1)]),
    ...Object.entries(media.resolutions ?? {}).map(([name, call]) => line('resolution', name, { call })),
  ];
};

const hoursText = ({ zone, from, to, days }: PriceHours): string =>
  [`${from}–${to}`, ...(days === undefined ? [] : [days.join(', ')]), zone].join(' ');
