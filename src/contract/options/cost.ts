import { currencyRates } from '../channel-cost.ts';
import { jsonOption } from './option.ts';

/** What channels cost the operator. */
export const costOptions = {
  'cost_setting.currency_rates': jsonOption({}, 'house', currencyRates),
};
