import type { Price } from '#core/quota/price.ts';
import type { Service } from '#core/quota/served-terms.ts';
import { isSpecial, type ServiceTerms } from '#core/quota/service-terms.ts';
import type { Live } from '../live.ts';
import type { Admitted } from '../stages.ts';

/** What was sent to the upstream that answers, and what it said it served. */
export const serviceOf = ({ trial, meter }: Pick<Live, 'trial' | 'meter'>): Service => ({
  sent: trial?.sentAs?.terms,
  served: meter.served,
});

/**
 * The terms a call may go out with: the caller's, unless the group's are left out, and those that channels of the model
 * set over them. Undefined where the price does not depend on them.
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
