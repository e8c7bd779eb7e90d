import type { Migration } from './migration.ts';

const keys = ['hour', 'type', 'user_id', 'token_name_id', 'model_id', 'channel_id', 'group_id'] as const;
const added = ['calls', 'quota', 'prompt_tokens', 'completion_tokens', 'log_rows', 'log_quota'] as const;
const newKeys = 'hour, type, user_id, token_id, token_name_id, model_id, channel_id, group_id';
const newColumns = `${newKeys}, ${added.join(', ')}`;

/** What the hourly sums contain beyond the logs. */
const rest = added.map((column) => `h.${column} - coalesce(told.${column}, 0)`).join(', ');
const sameKey = keys.map((key) => `told.${key} = h.${key}`).join(' AND ');

/**
 * Hourly sums by token id: two tokens with the same name are separate, and a renamed token stays one. The logs show
 * which token made which calls. Calls without a row (deleted, or logging was off) belong to the one token of that user
 * known to have had the name; if there were several, the token is 0.
 */
export const usageByToken: Migration = {
  name: '0017-usage-by-token',
  statements: ({ integer, clustered }) => [
    `CREATE TABLE usage_hours_by_token (
      hour ${integer} NOT NULL,
      type ${integer} NOT NULL,
      user_id ${integer} NOT NULL,
      token_id ${integer} NOT NULL,
      token_name_id ${integer} NOT NULL,
      model_id ${integer} NOT NULL,
      channel_id ${integer} NOT NULL,
      group_id ${integer} NOT NULL,
      calls ${integer} NOT NULL,
      quota ${integer} NOT NULL,
      prompt_tokens ${integer} NOT NULL,
      completion_tokens ${integer} NOT NULL,
      log_rows ${integer} NOT NULL,
      log_quota ${integer} NOT NULL,
      PRIMARY KEY (${newKeys})
    ${clustered}`,
    `INSERT INTO usage_hours_by_token (${newColumns})
      SELECT created_at / 3600000, type, user_id, token_id, token_name_id, model_id, channel_id, group_id,
        count(*), sum(quota), sum(prompt_tokens), sum(completion_tokens), count(*), sum(quota)
      FROM logs GROUP BY created_at / 3600000, type, user_id, token_id, token_name_id, model_id, channel_id, group_id`,
    `INSERT INTO usage_hours_by_token (${newColumns})
      SELECT h.hour, h.type, h.user_id, coalesce(one.id, 0), h.token_name_id, h.model_id, h.channel_id, h.group_id, ${rest}
      FROM usage_hours h
      LEFT JOIN (
        SELECT ${keys.join(', ')}, ${added.map((column) => `sum(${column}) AS ${column}`).join(', ')}
        FROM usage_hours_by_token GROUP BY ${keys.join(', ')}
      ) told ON ${sameKey}
      LEFT JOIN (
        SELECT user_id, name_id, min(id) AS id FROM (
          SELECT t.user_id AS user_id, n.id AS name_id, t.id AS id FROM tokens t JOIN names n ON n.name = t.name
          UNION
          SELECT user_id, token_name_id, token_id FROM usage_hours_by_token WHERE token_id > 0
        ) had GROUP BY user_id, name_id HAVING count(*) = 1
      ) one ON one.user_id = h.user_id AND one.name_id = h.token_name_id
      WHERE h.calls > coalesce(told.calls, 0)
      ON CONFLICT (${newKeys}) DO UPDATE SET
        ${added.map((column) => `${column} = usage_hours_by_token.${column} + excluded.${column}`).join(', ')}`,
    `DROP TABLE usage_hours`,
    `ALTER TABLE usage_hours_by_token RENAME TO usage_hours`,
    `CREATE INDEX usage_hours_user ON usage_hours (user_id, hour)`,
    `CREATE INDEX usage_hours_token ON usage_hours (token_name_id, hour)`,
    `CREATE INDEX usage_hours_token_id ON usage_hours (token_id, hour)`,
    // Finds the rows of one token without reading others.
    `DROP INDEX logs_scan`,
    `CREATE INDEX logs_scan ON logs (created_at, id, type, user_id, token_id, token_name_id, model_id, channel_id, group_id,
      quota, prompt_tokens, completion_tokens)`,
  ],
};
