import type * as contract from '#contract/api/model-prices.ts';
import type { Routing } from '#core/channel/routing.ts';
import type { Options } from '../../control/site/options.ts';
import { modelPricePage } from '../../control/wallet/model-prices.ts';
import { createModelPrices } from '../../control/wallet/set-model-prices.ts';
import type { Handlers } from '../handler.ts';
import { pageOf, pageRequest } from './page.ts';

/** What models cost, for those who set it. */
export const modelPriceHandlers = ({
  routing,
  options,
}: {
  readonly routing: () => Routing;
  readonly options: Options;
}): Handlers<typeof contract> => {
  const prices = createModelPrices(options);
  return {
    listModelPrices: async ({ query }) => {
      const { keyword, origin, group } = query;
      const asked = { ...pageRequest(query), keyword, origin, group };
      const page = modelPricePage(routing(), asked);
      return { data: pageOf(page, query, (row) => row), fields: { counts: { ...page.counts } } };
    },
    setModelPrices: async ({ body }, { actor }) => {
      await prices.set(actor, body.models);
      return null;
    },
  };
};
