import type { Migration } from './migration.ts';

/**
 * What prompt caches did: tokens read from them, and the quota that was not charged because of it; below 0 where writing a
 * cache cost more. Of each call with its session, and by the hour. What was before is not known by the hour, and counts as 0.
 */
export const cachedTokens: Migration = {
  name: '0021-cached-tokens',
  statements: ({ integer }) => [
    `ALTER TABLE logs ADD COLUMN session TEXT`,
    `ALTER TABLE logs ADD COLUMN cached_tokens ${integer} NOT NULL DEFAULT 0`,
    `ALTER TABLE logs ADD COLUMN saved ${integer} NOT NULL DEFAULT 0`,
    `ALTER TABLE usage_hours ADD COLUMN cached_tokens ${integer} NOT NULL DEFAULT 0`,
    `ALTER TABLE usage_hours ADD COLUMN saved ${integer} NOT NULL DEFAULT 0`,
    // Sums by session are read from it alone.
    `CREATE INDEX logs_session ON logs (created_at, user_id, session, model_id, channel_id, quota, prompt_tokens,
      cached_tokens, saved) WHERE session IS NOT NULL`,
  ],
};
