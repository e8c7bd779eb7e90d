import { addressOption, baseOption, flagOption, secretOption } from './option.ts';

/** This site's address, and how it calls others. */
export const generalOptions = {
  /** Links in mails use it, including the one to reset a password. */
  ServerAddress: baseOption('trust'),
  /** A worker that fetches drawings and calls webhooks instead of this server; empty for none. */
  WorkerUrl: addressOption('trust'),
  WorkerValidKey: secretOption(),
  WorkerAllowHttpImageRequestEnabled: flagOption('off', 'trust'),
};
