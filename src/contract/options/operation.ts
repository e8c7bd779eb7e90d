import { QUOTA_PER_UNIT } from '../limits.ts';
import { addressOption, flagOption, integerOption, numberOption, textOption } from './option.ts';

/** How the site runs from day to day. */
export const operationOptions = {
  TopUpLink: addressOption('operation'),
  'general_setting.docs_link': addressOption('operation'),
  ChatLink: textOption('', 'operation'),
  ChatLink2: textOption('', 'operation'),
  QuotaPerUnit: integerOption(QUOTA_PER_UNIT, 'operation', 1, 1e12),
  USDExchangeRate: numberOption(7.3, 'operation', 0.000_001, 1e6),
  RetryTimes: integerOption(0, 'operation', 0, 10),
  DisplayInCurrencyEnabled: flagOption(true, 'operation'),
  DisplayTokenStatEnabled: flagOption(true, 'operation'),
  DefaultCollapseSidebar: flagOption(false, 'operation'),
  DemoSiteEnabled: flagOption(false, 'operation'),
  SelfUseModeEnabled: flagOption(false, 'operation'),
  'general_setting.ping_interval_enabled': flagOption(false, 'operation'),
  'general_setting.ping_interval_seconds': integerOption(60, 'operation', 1, 3600),
};
