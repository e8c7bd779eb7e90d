import { addressOption, flagOption, secretOption } from './option.ts';

/** Where this site is reached, and how it reaches others. */
export const generalOptions = {
  ServerAddress: addressOption('general'),
  WorkerUrl: addressOption('general'),
  WorkerValidKey: secretOption('general'),
  WorkerAllowHttpImageRequestEnabled: flagOption(false, 'general'),
};
