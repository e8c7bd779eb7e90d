import { z } from 'zod';
import { MODEL_NAME_MAX_LENGTH, QUOTA_PER_UNIT } from '../limits.ts';
import { type ChoiceRules, choiceRules } from '../channel/choice.ts';
import { type FirstTokenRule, firstTokenRule, newFirstTokenRule } from '../channel/first-token.ts';
import { type TimeLimits, timeLimits } from '../channel/time-limits.ts';
import {
  modelOrBeginning,
  addressOption,
  flagOption,
  integerOption,
  jsonOption,
  numberOption,
  textOption,
} from './option.ts';

const policies = z.record(modelOrBeginning, z.unknown()).optional();
const newChoiceRules = z.looseObject({ models: policies, groups: z.record(z.string(), policies).optional() });

/** How the site runs from day to day. */
export const operationOptions = {
  TopUpLink: addressOption('trust'),
  'general_setting.docs_link': addressOption('house'),
  ChatLink: textOption('', 'trust'),
  ChatLink2: textOption('', 'trust'),
  QuotaPerUnit: integerOption(QUOTA_PER_UNIT, 'house', 1, 1e12, 'issue_quota_per_unit'),
  USDExchangeRate: numberOption(7.3, 'house', 0.000_001, 1e6, { tooSmall: 'issue_exchange_rate' }),
  /** Further tries after answers that are errors. */
  RetryTimes: integerOption(0, 'daily', 0, 10),
  /** Further tries after channels that gave no answer, before those of `RetryTimes` are used. */
  'upstream_setting.silent_retries': integerOption(2, 'daily', 0, 10),
  'upstream_setting.model_timeouts': jsonOption<Readonly<Record<string, TimeLimits>>>(
    {},
    'daily',
    z.record(z.string().min(1).max(MODEL_NAME_MAX_LENGTH), timeLimits.strict()),
    { newName: modelOrBeginning },
  ),
  'upstream_setting.first_token': jsonOption<Readonly<Record<string, FirstTokenRule>>>(
    {},
    'daily',
    z.record(z.string().min(1).max(MODEL_NAME_MAX_LENGTH), firstTokenRule),
    { newName: modelOrBeginning, taken: z.record(z.string(), newFirstTokenRule) },
  ),
  'upstream_setting.hedge_percent': integerOption(5, 'daily', 0, 100),
  'upstream_setting.retry_percent': integerOption(20, 'daily', 0, 1000),
  /** By what one of several channels is chosen; where nothing is set, by weight. */
  'routing_setting.choice': jsonOption<ChoiceRules>({}, 'daily', choiceRules, {
    groupPlace: 'field',
    taken: newChoiceRules,
  }),
  DisplayInCurrencyEnabled: flagOption('on', 'daily'),
  DisplayTokenStatEnabled: flagOption('on', 'daily'),
  DefaultCollapseSidebar: flagOption('off', 'daily'),
  DemoSiteEnabled: flagOption('off', 'trust'),
  SelfUseModeEnabled: flagOption('off', 'house'),
  'general_setting.ping_interval_enabled': flagOption('off', 'daily'),
  'general_setting.ping_interval_seconds': integerOption(60, 'daily', 1, 3600),
};
