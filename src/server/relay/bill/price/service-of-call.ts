import type { Price } from '#core/quota/price.ts';
import type { Service } from '#core/quota/served-terms.ts';
import { isSpecial, type ServiceTerms } from '#core/quota/service-terms.ts';
import type { Live } from '../../live.ts';
import type { Admitted } from '../../stages.ts';

/** The tier, speed and place that were sent to the upstream that answers, and those it said it served. */
export const serviceOf = ({ destination, meter }: Pick<Live, 'destination' | 'meter'>): Service => ({
  sent: destination?.sentAs?.terms,
  served: meter.served,
});

/**
 * The terms a call may be sent with: the caller's, unless the group strips them, and those that overrides of the
 * model's channels set. Undefined if the price does not depend on them.
 */
export const sendableTerms = (
  { request, stripsTerms }: Admitted,
  price: Price,
  overrides: readonly ServiceTerms[],
): readonly ServiceTerms[] | undefined => {
  if (price.factors.dimensions === undefined) return undefined;
  const { terms = {} } = request.facts;
  const special = overrides.filter(isSpecial);
  return stripsTerms ? special : [terms, ...special];
};
