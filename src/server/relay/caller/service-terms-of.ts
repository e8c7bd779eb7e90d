import type { OptionValues } from '#contract/options.ts';
import { AppError } from '#core/error.ts';
import { isSpecial, type ServiceTerms } from '#core/quota/service-terms.ts';

/**
 * Whether the calls of this group go out without asking for a tier, speed or place (`GroupServiceTerms`). Throws
 * `invalid_request` if the group refuses what is asked for; the standard may always be asked for.
 */
export const mustStripTerms = (
  { GroupServiceTerms: rules }: Pick<OptionValues, 'GroupServiceTerms'>,
  group: string,
  terms: ServiceTerms | undefined,
): boolean => {
  const rule = Object.hasOwn(rules, group) ? rules[group] : 'pass';
  if (rule === 'refuse' && terms !== undefined && isSpecial(terms))
    throw new AppError(
      'invalid_request',
      `a service tier, speed or place cannot be chosen in group ${group}: ${Object.values(terms).join(', ')}`,
      { reason: 'service_terms_refused', param: PARAMS[firstOf(terms)] },
    );
  return rule === 'strip';
};

const PARAMS = { tier: 'service_tier', speed: 'speed', place: 'inference_geo' } as const;

const firstOf = ({ tier, speed }: ServiceTerms): keyof ServiceTerms => {
  if (isSpecial({ ...(tier !== undefined && { tier }) })) return 'tier';
  return isSpecial({ ...(speed !== undefined && { speed }) }) ? 'speed' : 'place';
};
