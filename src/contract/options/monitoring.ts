import { flagOption, integerOption, linesOption, numberOption } from './option.ts';

/** What to do with channels that fail or recover. */
export const monitoringOptions = {
  AutomaticDisableChannelEnabled: flagOption('off', 'daily'),
  AutomaticEnableChannelEnabled: flagOption('off', 'daily'),
  /** Seconds a test may take; 0 for no limit. */
  ChannelDisableThreshold: numberOption(5, 'daily', 0, 3600),
  AutomaticDisableKeywords: linesOption(
    [
      'Your credit balance is too low',
      'This organization has been disabled.',
      'You exceeded your current quota',
      'Permission denied',
      'The security token included in the request is invalid',
      'Operation not allowed',
      'Your account is not authorized',
    ],
    'daily',
  ),
  'monitor_setting.auto_test_channel_enabled': flagOption('off', 'daily'),
  /** Minutes from the end of one test of all channels to the next. */
  'monitor_setting.auto_test_channel_minutes': integerOption(10, 'daily', 1, 10_080),
  /** Minutes between two updates of all balances; 0 for never. */
  'monitor_setting.auto_update_balance_minutes': integerOption(0, 'daily', 0, 10_080),
};
