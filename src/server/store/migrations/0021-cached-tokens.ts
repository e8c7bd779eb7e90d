import type { Migration } from './migration.ts';

/**
 * The effect of prompt caches: tokens read from them, and the quota saved, negative if writing a cache cost more.
 * Stored for each call with its session, and per hour. Hours before this migration count 0.
 */
export const cachedTokens: Migration = {
  name: '0021-cached-tokens',
  statements: ({ integer }) => [
    `ALTER TABLE logs ADD COLUMN session TEXT`,
    `ALTER TABLE logs ADD COLUMN cached_tokens ${integer} NOT NULL DEFAULT 0`,
    `ALTER TABLE logs ADD COLUMN saved ${integer} NOT NULL DEFAULT 0`,
    `ALTER TABLE usage_hours ADD COLUMN cached_tokens ${integer} NOT NULL DEFAULT 0`,
    `ALTER TABLE usage_hours ADD COLUMN saved ${integer} NOT NULL DEFAULT 0`,
    // Sums by session read only this index.
    `CREATE INDEX logs_session ON logs (created_at, user_id, session, model_id, channel_id, quota, prompt_tokens,
      cached_tokens, saved) WHERE session IS NOT NULL`,
  ],
};
