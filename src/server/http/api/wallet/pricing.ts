import type * as contract from '#contract/api/wallet/pricing.ts';
import type { Routing } from '#core/channel/routing.ts';
import { priceExamples } from '../../../control/wallet/price-example.ts';
import { pricingOf, unpricedModels } from '../../../control/wallet/pricing.ts';
import { refuse } from '../../../control/refuse.ts';
import type { Handlers } from '../../handler.ts';

/** What models cost. */
export const pricingHandlers = ({
  routing,
}: {
  readonly routing: () => Routing;
}): Handlers<typeof contract> => ({
  readPricing: async (_, { whoever }) => {
    const pricing = pricingOf(routing(), (await whoever())?.user.group);
    return {
      data: pricing.models.map((model) => ({
        model_name: model.name,
        quota_type: model.pricePerCall === undefined ? (0 as const) : (1 as const),
        model_ratio: model.modelRatio,
        completion_ratio: model.completionRatio,
        cache_ratio: model.cacheRatio,
        model_price: model.pricePerCall ?? 0,
        owner_by: '',
        context_window: model.contextWindow,
        enable_groups: Object.keys(model.prices),
        prices: model.prices,
        variants: [...model.variants],
      })),
      fields: {
        group_ratio: { ...pricing.groupRatios },
        usable_group: { ...pricing.groupNames },
        quota_per_unit: routing().options.QuotaPerUnit,
      },
    };
  },
  readRatioConfig: async () => {
    const { options } = routing();
    if (!options.ExposeRatioEnabled) throw refuse('ratios_private');
    return {
      data: {
        model_ratio: { ...options.ModelRatio },
        completion_ratio: { ...options.CompletionRatio },
        cache_ratio: { ...options.CacheRatio },
        create_cache_ratio: { ...options.CreateCacheRatio },
        model_price: { ...options.ModelPrice },
      },
      fields: { quota_per_unit: options.QuotaPerUnit },
    };
  },
  priceExample: async ({ body: { at, ...question } }) => {
    const atMs = at === undefined ? undefined : at * 1000;
    return priceExamples(routing(), { ...question, atMs }).map(({ price_steps, ...receipt }) => ({
      ...receipt,
      price_steps: price_steps.map((step) => ({ ...step, factors: { ...step.factors } })),
    }));
  },
  listUnpriced: async () => unpricedModels(routing()),
});
