import type * as contract from '#contract/api/wallet/model-prices.ts';
import type { Routing } from '#core/channel/routing.ts';
import { modelPricePage, soldAsInput } from '../../../control/wallet/model-prices.ts';
import type { PriceBook } from '../../../control/wallet/book/price-book.ts';
import { changeModelPrices } from '../../../control/wallet/set-model-prices.ts';
import type { Handlers } from '../../handler.ts';
import { pageOf, pageRequest } from '../page.ts';
import { outcomeWire } from './price-book.ts';

/** Prices of models, for those who may set them. */
export const modelPriceHandlers = ({
  routing,
  prices,
}: {
  readonly routing: () => Routing;
  readonly prices: PriceBook;
}): Handlers<typeof contract> => {
  return {
    listModelPrices: async ({ query }) => {
      const { keyword, origin, group } = query;
      const asked = { ...pageRequest(query), keyword, origin, group };
      const page = modelPricePage(routing(), asked);
      return { data: pageOf(page, query, (row) => row), fields: { counts: { ...page.counts } } };
    },
    setModelPrices: async ({ body }, { actor }) => {
      const outcome = outcomeWire(await changeModelPrices(prices, actor, body));
      return { ...outcome, output_as_input: outcome.published ? soldAsInput(routing(), body.models) : [] };
    },
  };
};
