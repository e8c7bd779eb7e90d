import { z } from 'zod';
import { flagOption, groupNames, jsonOption, ratios } from './option.ts';
import { listToolPrices } from './tool-prices.ts';

/** What models cost. A model has a price per call, or a ratio with a completion ratio. */
export const ratioOptions = {
  ModelPrice: jsonOption({}, 'ratio', ratios),
  ModelRatio: jsonOption({}, 'ratio', ratios),
  CompletionRatio: jsonOption({}, 'ratio', ratios),
  CacheRatio: jsonOption({}, 'ratio', ratios),
  CreateCacheRatio: jsonOption({}, 'ratio', ratios),
  'tool_price_setting.prices': jsonOption(listToolPrices, 'ratio', ratios),
  ExposeRatioEnabled: flagOption(false, 'ratio'),
};

/** Who pays which multiple, and who may choose which group. */
export const groupOptions = {
  GroupRatio: jsonOption({ default: 1, vip: 1, svip: 1 }, 'groups', ratios),
  UserUsableGroups: jsonOption<Record<string, string>>(
    { default: 'Default group', vip: 'VIP group' },
    'groups',
    z.record(groupNames, z.string().max(200)),
  ),
  GroupGroupRatio: jsonOption({}, 'groups', z.record(groupNames, ratios)),
  AutoGroups: jsonOption(['default'], 'groups', z.array(groupNames).max(1000)),
  DefaultUseAutoGroup: flagOption(false, 'groups'),
};
