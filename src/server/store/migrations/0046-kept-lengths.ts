import type { Migration } from './migration.ts';

/** How long a kept conversation is, so that the call that continues it holds what it costs. Of earlier ones it is not known. */
export const keptLengths: Migration = {
  name: '0046-kept-lengths',
  statements: ({ integer }) => [
    `ALTER TABLE kept_responses ADD COLUMN context_tokens ${integer} NOT NULL DEFAULT 0`,
  ],
};
