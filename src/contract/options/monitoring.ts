import { flagOption, linesOption, numberOption } from './option.ts';

/** What happens to channels that fail, and to those that work again. */
export const monitoringOptions = {
  AutomaticDisableChannelEnabled: flagOption(false, 'monitoring'),
  AutomaticEnableChannelEnabled: flagOption(false, 'monitoring'),
  /** Seconds a test may take; 0 for no limit. */
  ChannelDisableThreshold: numberOption(5, 'monitoring', 0, 3600),
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
    'monitoring',
  ),
};
