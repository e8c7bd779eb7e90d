import { z } from 'zod';
import { DEFAULT_GROUP } from '../codes.ts';
import { issueKey } from '../text.ts';
import { flagOption, groupNames, jsonOption, modelOrBeginning, newGroupName, ratios } from './option.ts';
import { type PriceDimensions, priceDimensions } from './price-dimensions.ts';
import { listToolPrices, paidTools } from './tool-prices.ts';

/** More than ten thousand names. Parsing a longer table would keep calls waiting. */
const taken = { takenMaxLength: 512 * 1024 };
const tools: ReadonlySet<string> = new Set(paidTools);
/** A price under any other name would count for nothing. */
const toolName = z.string().superRefine((name, { addIssue }) => {
  const [tool = '', ...model] = name.split(':');
  if (!tools.has(tool) || (model.length > 0 && model.join(':') === ''))
    addIssue({
      code: 'custom',
      message: issueKey('issue_tool'),
      params: { tools: paidTools.join(', ') },
      input: name,
    });
  else if (!modelOrBeginning.safeParse(name).success)
    addIssue({ code: 'custom', message: issueKey('issue_star_last'), input: name });
});

const prices = jsonOption<Record<string, number>>({}, 'house', ratios, taken);

/** Prices of models: per call, or a ratio with a completion ratio. */
export const ratioOptions = {
  ModelPrice: prices,
  ModelRatio: prices,
  CompletionRatio: prices,
  CacheRatio: prices,
  CreateCacheRatio: prices,
  'tool_price_setting.prices': jsonOption(listToolPrices, 'house', ratios, { ...taken, newName: toolName }),
  /** What a price depends on beside tokens, by model: over the dimensions of the catalogue. */
  PriceDimensions: jsonOption<Record<string, PriceDimensions>>({}, 'house', priceDimensions, taken),
  ExposeRatioEnabled: flagOption('off', 'house'),
  /** Whether a change of prices needs the approval of an admin who did not write it: docs/decisions/0056. */
  'price_setting.second_person': flagOption('off', 'trust'),
};

/** The ratio of each group, and who may choose it. */
export const groupOptions = {
  /** New accounts are in the default group: without it, nobody of them can call. */
  GroupRatio: jsonOption({ default: 1, vip: 1, svip: 1 }, 'house', ratios, {
    needsName: DEFAULT_GROUP,
    newName: newGroupName,
    groupPlace: 'keys',
  }),
  UserUsableGroups: jsonOption<Record<string, string>>(
    { default: 'Default group', vip: 'VIP group' },
    'house',
    z.record(groupNames, z.string().max(200)),
    { groupPlace: 'keys' },
  ),
  GroupGroupRatio: jsonOption({}, 'house', z.record(groupNames, ratios), { groupPlace: 'inner-keys' }),
  /** What becomes of a tier, speed or place that calls of a group ask for; passed and priced as served where absent. */
  GroupServiceTerms: jsonOption<Record<string, 'pass' | 'strip' | 'refuse'>>(
    {},
    'house',
    z.record(groupNames, z.enum(['pass', 'strip', 'refuse'])),
    { groupPlace: 'keys' },
  ),
  AutoGroups: jsonOption(['default'], 'house', z.array(groupNames).max(1000), { groupPlace: 'items' }),
  DefaultUseAutoGroup: flagOption('off', 'house'),
  /** What groups were called before, and are called now: whoever still says a former name means the present one. */
  'group_setting.former_names': jsonOption<Record<string, string>>(
    {},
    'house',
    z.record(groupNames, groupNames),
    { groupPlace: 'values' },
  ),
};
