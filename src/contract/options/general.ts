import { addressOption, flagOption, secretOption } from './option.ts';

/** Where this site is reached, and how it reaches others. */
export const generalOptions = {
  /** Links in mails lead here, the one that sets a new password among them. */
  ServerAddress: addressOption('trust'),
  /** What fetches pictures of drawings and calls webhooks in this server's place; empty for nobody. */
  WorkerUrl: addressOption('trust'),
  WorkerValidKey: secretOption(),
  WorkerAllowHttpImageRequestEnabled: flagOption(false, 'trust'),
};
