import type * as contract from '#contract/api/wallet/price-previews.ts';
import { DEFAULT_GROUP } from '#contract/codes.ts';
import type { Routing } from '#core/channel/routing.ts';
import type { PreviewSum } from '#core/price-book/preview.ts';
import type { PriceBookStore } from '#core/price-book/price-book-store.ts';
import { priceHistory } from '../../../control/wallet/price-history.ts';
import type { PricePreviews, PreviewResult, PreviewRun } from '../../../control/wallet/price-preview.ts';
import type { PriceSync } from '../../../control/wallet/price-sync.ts';
import type { Handlers } from '../../handler.ts';
import { toSeconds } from '../page.ts';

interface PreviewDeps {
  readonly pricePreviews: PricePreviews;
  readonly priceSync: PriceSync;
  readonly stores: { readonly priceBook: PriceBookStore };
  readonly routing: () => Routing;
}

/** Previews of other prices, prices that differ elsewhere, and past prices. */
export const pricePreviewHandlers = ({
  pricePreviews: previews,
  priceSync,
  stores,
  routing,
}: PreviewDeps): Handlers<typeof contract> => ({
  startPricePreview: async ({ body: { draft, entries, days } }) => ({
    id: await previews.start(draft === undefined ? { entries: entries ?? [] } : { draft }, days),
  }),
  readPricePreview: async ({ params }) => runWire(previews.read(params.id)),
  cancelPricePreview: async ({ params }) => {
    previews.cancel(params.id);
    return null;
  },
  comparePrices: async ({ body }) => {
    const { rows, units } = await priceSync.compare(body.url, body.quota_per_unit);
    return {
      data: [...rows],
      fields: { quota_per_unit: units?.toDollar ?? null, is_told: units?.isTold ?? false },
    };
  },
  readPriceHistory: async ({ query }, { whoever }) => {
    const group = (await whoever())?.user.group ?? DEFAULT_GROUP;
    const past = await priceHistory(stores.priceBook, routing(), group, query.model);
    return past.map(({ fromMs, prices: shown, variants }) => ({
      from: fromMs === undefined ? null : toSeconds(fromMs),
      prices: { ...shown },
      variants: [...variants],
    }));
  },
});

const sumWire = ({ calls, now, draft, costNano, costedNow, costedDraft }: PreviewSum) => ({
  count: calls,
  now,
  draft,
  cost_nano_usd: costNano,
  costed_now: costedNow,
  costed_draft: costedDraft,
});

const runWire = ({ state, progress, calls, result }: PreviewRun) => ({
  state,
  progress,
  count: calls,
  result: result === undefined ? null : resultWire(result),
});

const resultWire = ({ totals, leftOut, models, days, users, durationMs }: PreviewResult) => {
  const named = (sum: PreviewResult['models'][number]) => ({ ...sumWire(sum), id: sum.id, name: sum.name });
  return {
    totals: {
      ...sumWire(totals),
      charged: totals.charged,
      unpriced_now: totals.unpricedNow,
      unpriced_draft: totals.unpricedDraft,
    },
    left_out: { count: leftOut.calls, quota: leftOut.quotaUnits },
    models: models.map(named),
    days: days.map(named),
    users: users.map(named),
    duration_ms: Math.round(durationMs),
  };
};
