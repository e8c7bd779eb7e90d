import type { Migration } from './migration.ts';

/** Holds, charges and movements, and the logs that explain them. */
export const money: Migration = {
  name: '0002-money',
  statements: ({ id, integer, end, clustered }) => [
    // The journal of calls. token_amount is the token's part, 0 if it was unlimited at that time. log_id is the row
    // that explains how the hold was closed; a settled hold without one belongs to a call that was not logged.
    `CREATE TABLE holds (
      id TEXT PRIMARY KEY,
      user_id ${integer} NOT NULL,
      token_id ${integer},
      amount ${integer} NOT NULL CHECK (amount >= 0),
      token_amount ${integer} NOT NULL CHECK (token_amount >= 0),
      state TEXT NOT NULL CHECK (state IN ('open', 'settled', 'voided')),
      settled ${integer} NOT NULL DEFAULT 0 CHECK (settled >= 0),
      house_loss ${integer} NOT NULL DEFAULT 0 CHECK (house_loss >= 0),
      sent ${integer} NOT NULL DEFAULT 0,
      checkpoint ${integer} NOT NULL DEFAULT 0 CHECK (checkpoint >= 0),
      created_at ${integer} NOT NULL,
      expires_at ${integer} NOT NULL,
      closed_at ${integer},
      log_id ${integer}
    ${clustered}`,
    `CREATE INDEX holds_open ON holds (expires_at) WHERE state = 'open'`,
    // Every movement of a user's quota other than calls.
    `CREATE TABLE journal (
      id ${id},
      kind TEXT NOT NULL,
      ref TEXT NOT NULL,
      user_id ${integer} NOT NULL,
      delta ${integer} NOT NULL,
      reason TEXT NOT NULL,
      actor_id ${integer} NOT NULL,
      created_at ${integer} NOT NULL
    ${end}`,
    `CREATE UNIQUE INDEX journal_ref ON journal (kind, ref)`,
    // User, token, model and group names of log rows, each stored once. 0 is the empty name.
    `CREATE TABLE names (id ${id}, name TEXT NOT NULL UNIQUE ${end}`,
    `CREATE TABLE logs (
      id ${id},
      created_at ${integer} NOT NULL,
      type ${integer} NOT NULL,
      user_id ${integer} NOT NULL,
      username_id ${integer} NOT NULL,
      token_id ${integer} NOT NULL,
      token_name_id ${integer} NOT NULL,
      channel_id ${integer} NOT NULL,
      group_id ${integer} NOT NULL,
      model_id ${integer} NOT NULL,
      quota ${integer} NOT NULL CHECK (quota >= 0),
      prompt_tokens ${integer} NOT NULL,
      completion_tokens ${integer} NOT NULL,
      use_time_ms ${integer} NOT NULL,
      is_stream ${integer} NOT NULL,
      ip TEXT NOT NULL,
      request_id TEXT NOT NULL,
      content TEXT NOT NULL,
      other TEXT NOT NULL
    ${end}`,
    // The only index of the logs: narrow, append-only, and enough to answer any filter without the rows.
    `CREATE INDEX logs_scan ON logs
      (created_at, id, type, user_id, token_name_id, model_id, channel_id, group_id, quota, prompt_tokens, completion_tokens)`,
    // Hourly sums, written with the rows they sum up. calls and quota stay when logging is off or rows are deleted;
    // log_rows and log_quota count the stored rows. Hours are counted from 1970.
    `CREATE TABLE usage_hours (
      hour ${integer} NOT NULL,
      type ${integer} NOT NULL,
      user_id ${integer} NOT NULL,
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
      PRIMARY KEY (hour, type, user_id, token_name_id, model_id, channel_id, group_id)
    ${clustered}`,
    // The stored log rows per day, regardless of caller: few rows, so filters without a caller are fast.
    `CREATE TABLE log_days (
      day ${integer} NOT NULL,
      type ${integer} NOT NULL,
      model_id ${integer} NOT NULL,
      channel_id ${integer} NOT NULL,
      group_id ${integer} NOT NULL,
      log_rows ${integer} NOT NULL,
      log_quota ${integer} NOT NULL,
      PRIMARY KEY (day, type, model_id, channel_id, group_id)
    ${clustered}`,
  ],
};
