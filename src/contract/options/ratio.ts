import { z } from 'zod';
import { flagOption, groupNames, jsonOption, ratios } from './option.ts';
import { listToolPrices } from './tool-prices.ts';

/** More than ten thousand names. Parsing a longer table would keep calls waiting. */
const PRICES_MAX_LENGTH = 512 * 1024;
const prices = jsonOption<Record<string, number>>({}, 'house', ratios, { maxLength: PRICES_MAX_LENGTH });

/** Prices of models: per call, or a ratio with a completion ratio. */
export const ratioOptions = {
  ModelPrice: prices,
  ModelRatio: prices,
  CompletionRatio: prices,
  CacheRatio: prices,
  CreateCacheRatio: prices,
  'tool_price_setting.prices': jsonOption(listToolPrices, 'house', ratios),
  ExposeRatioEnabled: flagOption(false, 'house'),
};

/** The ratio of each group, and who may choose it. */
export const groupOptions = {
  GroupRatio: jsonOption({ default: 1, vip: 1, svip: 1 }, 'house', ratios),
  UserUsableGroups: jsonOption<Record<string, string>>(
    { default: 'Default group', vip: 'VIP group' },
    'house',
    z.record(groupNames, z.string().max(200)),
  ),
  GroupGroupRatio: jsonOption({}, 'house', z.record(groupNames, ratios)),
  AutoGroups: jsonOption(['default'], 'house', z.array(groupNames).max(1000)),
  DefaultUseAutoGroup: flagOption(false, 'house'),
};
