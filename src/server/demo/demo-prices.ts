import type { Clock } from '#core/clock.ts';
import type { PriceEntry } from '#core/price-book/price-tables.ts';
import type { PriceBookStore } from '#core/price-book/price-book-store.ts';
import type { User } from '#core/user/user.ts';
import type { PriceBook } from '../control/wallet/book/price-book.ts';
import type { PriceDrafts } from '../control/wallet/book/price-drafts.ts';
import type { Happening } from './demo-story.ts';
import { DAY_MS } from '#core/time/spans.ts';

export interface DemoPriceDeps {
  readonly prices: Pick<PriceBook, 'publish'>;
  readonly priceDrafts: Pick<PriceDrafts, 'create'>;
  readonly priceBook: Pick<PriceBookStore, 'version'>;
  readonly clock: Clock;
}

const ratio = (model: string, value: number): PriceEntry => ({ option: 'ModelRatio', key: model, value });

/** The versions published in the week, the oldest first. */
const published: readonly (readonly [daysAgo: number, reason: string, entries: readonly PriceEntry[]])[] = [
  [20, 'Opening prices', [ratio('gpt-4o', 1.25), ratio('gpt-4o-mini', 0.075)]],
  [6.1, 'The upstream raised its price', [ratio('gpt-4o', 1.4)]],
  [
    4.2,
    'Dearer at working hours, cheaper at night',
    [
      ratio('kimi-k2', 0.3),
      {
        option: 'PriceDimensions',
        key: 'kimi-k2',
        value: { hours: [{ zone: 'UTC', from: '01:00', to: '07:00', factor: 0.5 }] },
      },
    ],
  ],
  [2.3, 'Back to the list price', [ratio('gpt-4o', 1.25)]],
];

/** A price book with a history, an open draft, and a draft that takes effect in some days. */
export const seedPrices = (deps: DemoPriceDeps, user: User): readonly Happening[] => {
  const { prices, priceDrafts, priceBook, clock } = deps;
  const editor = { user, via: 'session', freshUntilMs: Number.MAX_SAFE_INTEGER } as const;
  const publish = async (reason: string, entries: readonly PriceEntry[], atMs?: number): Promise<void> => {
    const id = await priceDrafts.create(editor, reason, entries);
    await prices.publish(editor, id, { base: await priceBook.version(), reason, atMs });
  };
  const past = published.map(([daysAgo, reason, entries]) => ({
    agoMs: daysAgo * DAY_MS,
    happen: () => publish(reason, entries),
  }));
  return [
    ...past,
    {
      agoMs: 1.5 * DAY_MS,
      happen: () =>
        priceDrafts.create(editor, 'To be talked over: small models a tenth dearer', [
          ratio('gpt-4o-mini', 0.0825),
        ]),
    },
    {
      agoMs: 1.4 * DAY_MS,
      happen: () => publish('Next quarter', [ratio('deepseek-chat', 0.15)], clock.now() + 3.4 * DAY_MS),
    },
  ];
};
