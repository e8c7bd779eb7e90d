import { z } from 'zod';
import { currencyRates } from '../channel/channel-cost.ts';
import { groupNames, jsonOption } from './option.ts';

/** What becomes of calls that cost more than they are sold at. */
export const belowCostRules = ['off', 'mark', 'warn', 'stop'] as const;

export type BelowCostRule = (typeof belowCostRules)[number];

/** What channels cost the operator. */
export const costOptions = {
  'cost_setting.currency_rates': jsonOption({}, 'house', currencyRates),
  /** By the group that pays; marked where absent. */
  'cost_setting.below_cost': jsonOption<Record<string, BelowCostRule>>(
    {},
    'house',
    z.record(groupNames, z.enum(belowCostRules)),
    { groupPlace: 'keys' },
  ),
};
