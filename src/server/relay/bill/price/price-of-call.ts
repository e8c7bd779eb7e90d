import type { Routing } from '#core/channel/routing.ts';
import { priceOfMedia } from '#core/quota/media-price.ts';
import { priceAt } from '#core/quota/price-variants.ts';
import { type Price, type PriceSources, priceOf, timesPerCall } from '#core/quota/price.ts';
import { ownChoices } from '#core/user/own-choices.ts';
import type { User } from '#core/user/user.ts';
import type { RequestFacts } from '../../../dialects/dialect.ts';
import type { Admitted, Asked } from '../../stages.ts';

/** Users who accept models without a price pay the price of self-use mode for them. */
const withUnpriced = ({ options, catalogue }: PriceSources): PriceSources => ({
  options: { ...options, SelfUseModeEnabled: true },
  catalogue,
});

/** By model, group of the user and group of the call. In steps, because a joined name would be hashed for every call. */
type PriceBook = Map<string, Map<string, Map<string, Price>>>;

const usualBooks = new WeakMap<Routing, PriceBook>();
/** The prices for users who accept models without one. */
const unpricedBooks = new WeakMap<Routing, PriceBook>();

/** The price of a model for a pair of groups, computed once per routing. */
export const priceFor = (routing: Routing, model: string, user: User, group: string): Price => {
  const { acceptsUnpriced } = ownChoices(user);
  const books = acceptsUnpriced ? unpricedBooks : usualBooks;
  const known = books.get(routing)?.get(model)?.get(user.group)?.get(group);
  if (known !== undefined) return known;
  const sources = acceptsUnpriced ? withUnpriced(routing) : routing;
  const price = priceOf(sources, model, user.group, group);
  const book: PriceBook = books.get(routing) ?? new Map();
  const ofModel = book.get(model) ?? new Map<string, Map<string, Price>>();
  const ofUsers = ofModel.get(user.group) ?? new Map<string, Price>();
  books.set(routing, book.set(model, ofModel.set(user.group, ofUsers.set(group, price))));
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
