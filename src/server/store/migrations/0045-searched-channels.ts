import type { Migration } from './migration.ts';

/**
 * Of thousands of channels with long lists of models, what is looked for is found without making each list lower case
 * again; and a refused key finds the other channels that have no key but it.
 */
export const searchedChannels: Migration = {
  name: '0045-searched-channels',
  statements: ({ lowerCaseOf }) => [
    `ALTER TABLE channels ADD COLUMN models_lower ${lowerCaseOf('models')}`,
    `CREATE INDEX channels_key_mac ON channels (key_mac)`,
  ],
};
