import type { Routing } from '#core/channel/routing.ts';
import { priceOfMedia } from '#core/quota/media-price.ts';
import { priceAt } from '#core/quota/price-variants.ts';
import { type Price, type PriceSources, priceOf, timesPerCall } from '#core/quota/price.ts';
import { ownChoices } from '#core/user/own-choices.ts';
import type { User } from '#core/user/user.ts';
import type { RequestFacts } from '../../../dialects/dialect.ts';
import type { Admitted, Asked } from '../../stages.ts';

/** For users who agreed to it, a model without a price has that of self-use mode. */
const withUnpriced = ({ options, catalogue }: PriceSources): PriceSources => ({
  options: { ...options, SelfUseModeEnabled: true },
  catalogue,
});

const prices = new WeakMap<Routing, Map<string, Price>>();

/** The price of a model for a pair of groups, computed once per routing. */
export const priceFor = (routing: Routing, model: string, user: User, group: string): Price => {
  let book = prices.get(routing);
  if (book === undefined) prices.set(routing, (book = new Map()));
  const { acceptsUnpriced } = ownChoices(user);
  const key = `${model}\n${user.group}\n${group}\n${String(acceptsUnpriced)}`;
  let price = book.get(key);
  if (price === undefined) {
    const sources = acceptsUnpriced ? withUnpriced(routing) : routing;
    book.set(key, (price = priceOf(sources, model, user.group, group)));
  }
  return price;
};

/** The number of answers that are held for and charged. */
export const paidAnswers = ({ choices, paidAnswers: paid = choices }: RequestFacts): number => paid;

type Payable = Pick<Asked, 'routing' | 'request' | 'caller' | 'createdAtMs'> & Pick<Admitted, 'group'>;

/**
 * The price of what this caller asked for, or of `answers` answers of it. Throws `invalid_request` if the model has no
 * price.
 */
export const priceOfCall = (
  { routing, request, caller, group, createdAtMs }: Payable,
  answers?: number,
): Price => {
  const { facts } = request;
  const { model, callFactor: factor = 1 } = facts;
  const price = priceFor(routing, model, caller.user, group);
  const times = answers === undefined ? factor : (factor / paidAnswers(facts)) * answers;
  return priceAt(priceOfMedia(timesPerCall(price, times), request.fields), createdAtMs);
};
