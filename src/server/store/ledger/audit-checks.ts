import type { Check } from './audit-check.ts';
import { toldChecks } from './audit-told.ts';

const LARGEST = '9007199254740991';
/** How long after its expiry a hold may stay open: until the sweeper runs. */
const GRACE_MS = 60_000;

const perUser = (column: string) => `SELECT user_id, ${column} FROM holds GROUP BY user_id`;
const perToken = (column: string) => `SELECT token_id, ${column} FROM holds GROUP BY token_id`;
const openAmount = `sum(CASE WHEN state = 'open' THEN amount ELSE 0 END) AS total`;

const users: readonly Check[] = [
  {
    name: 'A01 user quota = journal - held - charged',
    sql: `SELECT u.id AS broken FROM users u
      LEFT JOIN (SELECT user_id, sum(delta) AS total FROM journal GROUP BY user_id) j ON j.user_id = u.id
      LEFT JOIN (${perUser(`sum(CASE WHEN state = 'open' THEN amount ELSE settled END) AS total`)}) h ON h.user_id = u.id
      WHERE u.quota <> coalesce(j.total, 0) - coalesce(h.total, 0)`,
  },
  {
    name: 'A02 user held = open holds',
    sql: `SELECT u.id AS broken FROM users u LEFT JOIN (${perUser(openAmount)}) h ON h.user_id = u.id
      WHERE u.held <> coalesce(h.total, 0)`,
  },
  {
    name: 'A03 user used quota = settled holds',
    sql: `SELECT u.id AS broken FROM users u LEFT JOIN (${perUser('sum(settled) AS total')}) h ON h.user_id = u.id
      WHERE u.used_quota <> coalesce(h.total, 0)`,
  },
  {
    name: 'A04 user request count = number of settled holds',
    sql: `SELECT u.id AS broken FROM users u
      LEFT JOIN (${perUser(`sum(CASE WHEN state = 'settled' THEN 1 ELSE 0 END) AS total`)}) h ON h.user_id = u.id
      WHERE u.request_count <> coalesce(h.total, 0)`,
  },
];

const tokens: readonly Check[] = [
  {
    name: 'A05 token issued = remaining + held + used',
    sql: `SELECT id AS broken FROM tokens WHERE issued_quota <> remain_quota + held + used_quota`,
  },
  {
    name: 'A06 token held = open holds',
    sql: `SELECT t.id AS broken FROM tokens t
      LEFT JOIN (${perToken(`sum(CASE WHEN state = 'open' THEN token_amount ELSE 0 END) AS total`)}) h ON h.token_id = t.id
      WHERE t.held <> coalesce(h.total, 0)`,
  },
  {
    name: 'A07 token used quota = settled holds',
    sql: `SELECT t.id AS broken FROM tokens t LEFT JOIN (${perToken('sum(settled) AS total')}) h ON h.token_id = t.id
      WHERE t.used_quota <> coalesce(h.total, 0)`,
  },
];

const holds: readonly Check[] = [
  {
    name: 'A08 a hold is open or closed, once, its token gave at most all of it, and the house loses only after the whole hold',
    sql: `SELECT id AS broken FROM holds WHERE
      (state = 'open' AND (closed_at IS NOT NULL OR log_id IS NOT NULL))
      OR (state <> 'open' AND closed_at IS NULL)
      OR (state <> 'settled' AND settled <> 0)
      OR (state = 'voided' AND house_loss <> 0)
      OR (state = 'settled' AND house_loss > 0 AND settled < amount)
      OR (state = 'open' AND house_loss > amount)
      OR (token_amount <> 0 AND (token_id IS NULL OR token_amount > amount))`,
  },
  {
    name: 'A09 no hold is open past its time',
    sql: `SELECT id AS broken FROM holds WHERE state = 'open' AND expires_at < :now - ${GRACE_MS}`,
  },
  {
    name: 'A10 the log row of a hold tells the same call, user and quota',
    sql: `SELECT h.id AS broken FROM holds h LEFT JOIN logs l ON l.id = h.log_id
      WHERE h.log_id IS NOT NULL AND (l.id IS NULL OR l.request_id <> h.id OR l.user_id <> h.user_id
        OR l.quota <> h.settled OR (l.type = 2) <> (h.state = 'settled'))`,
  },
  {
    name: 'A11 a consume log has its settled hold',
    sql: `SELECT l.id AS broken FROM logs l LEFT JOIN holds h ON h.log_id = l.id AND h.state = 'settled'
      WHERE l.type = 2 AND h.id IS NULL`,
  },
];

const keys = 'hour, type, user_id, token_id, token_name_id, model_id, channel_id, group_id, program_id';

const sums: readonly Check[] = [
  {
    name: 'A12 hourly sums of a user = settled holds',
    sql: `SELECT user_id AS broken FROM (
        SELECT user_id, settled AS quota FROM holds UNION ALL SELECT user_id, -quota FROM usage_hours WHERE type = 2
      ) x GROUP BY user_id HAVING sum(quota) <> 0`,
  },
  {
    name: 'A13 channel used quota = hourly sums',
    sql: `SELECT c.id AS broken FROM channels c LEFT JOIN
        (SELECT channel_id, sum(quota) AS total FROM usage_hours WHERE type = 2 GROUP BY channel_id) s ON s.channel_id = c.id
      WHERE c.used_quota <> coalesce(s.total, 0)`,
  },
  {
    name: 'A14 hourly sums = logs',
    sql: `SELECT hour AS broken FROM (
        SELECT ${keys}, log_rows AS calls, log_quota AS quota FROM usage_hours
        UNION ALL
        SELECT created_at / 3600000 AS ${keys}, -1 AS calls, -quota AS quota FROM logs
      ) x GROUP BY ${keys} HAVING sum(calls) <> 0 OR sum(quota) <> 0`,
  },
  {
    name: 'A15 hourly sums count at least what the logs have',
    sql: `SELECT hour AS broken FROM usage_hours WHERE calls < log_rows OR quota < log_quota`,
  },
];

const outside = (column: string) => `${column} NOT BETWEEN 0 AND ${LARGEST}`;

const whole: readonly Check[] = [
  {
    name: 'A16 nothing is negative or beyond 2^53-1',
    sql: `SELECT 'user ' || id AS broken FROM users
        WHERE ${['quota', 'held', 'used_quota', 'aff_quota', 'aff_history_quota'].map(outside).join(' OR ')}
      UNION ALL SELECT 'token ' || id FROM tokens WHERE ${['remain_quota', 'held', 'used_quota', 'issued_quota'].map(outside).join(' OR ')}
      UNION ALL SELECT 'hold ' || id FROM holds
        WHERE ${['amount', 'token_amount', 'settled', 'house_loss', 'checkpoint'].map(outside).join(' OR ')}
      UNION ALL SELECT 'log ' || id FROM logs WHERE ${outside('quota')}
      UNION ALL SELECT 'channel ' || id FROM channels WHERE ${outside('used_quota')}
      UNION ALL SELECT 'key ' || id FROM channel_keys WHERE ${outside('used_quota')}
      UNION ALL SELECT 'code ' || id FROM redemptions WHERE ${outside('quota')}
      UNION ALL SELECT 'order ' || id FROM top_up_orders WHERE ${['quota', 'money_cents'].map(outside).join(' OR ')}
      UNION ALL SELECT 'task ' || id FROM tasks WHERE ${outside('quota')}
      UNION ALL SELECT 'movement ' || id FROM journal WHERE ${outside('coalesce(quota_after, 0)')}
        OR delta NOT BETWEEN -${LARGEST} AND ${LARGEST}
      UNION ALL SELECT 'hour ' || hour FROM usage_hours
        WHERE ${['quota', 'log_quota', 'cost', 'uncosted_quota'].map(outside).join(' OR ')}
      UNION ALL SELECT 'house ' || day FROM house_costs WHERE ${outside('cost')} OR uncosted_calls > calls
      UNION ALL SELECT 'allowance ' || name FROM allowance_days WHERE ${outside('given')}`,
  },
  {
    name: 'A17 money created = owned + held + used',
    sql: `SELECT 'everybody' AS broken WHERE (SELECT coalesce(sum(delta), 0) FROM journal)
      <> (SELECT coalesce(sum(quota + held + used_quota), 0) FROM users)`,
  },
  {
    name: 'A18 a movement happens once',
    sql: `SELECT kind || ' ' || ref AS broken FROM journal GROUP BY kind, ref HAVING count(*) > 1`,
  },
  {
    name: 'A19 a hold has its user, and a token of that user',
    sql: `SELECT h.id AS broken FROM holds h LEFT JOIN users u ON u.id = h.user_id LEFT JOIN tokens t ON t.id = h.token_id
      WHERE u.id IS NULL OR (h.token_id IS NOT NULL AND (t.id IS NULL OR t.user_id <> h.user_id))`,
  },
];

const days: readonly Check[] = [
  {
    name: 'A20 daily sums = hourly sums',
    sql: `SELECT day AS broken FROM (
        SELECT day, type, model_id, channel_id, group_id, log_rows, log_quota FROM log_days
        UNION ALL
        SELECT hour / 24 AS day, type, model_id, channel_id, group_id, -log_rows, -log_quota FROM usage_hours
      ) x GROUP BY day, type, model_id, channel_id, group_id HAVING sum(log_rows) <> 0 OR sum(log_quota) <> 0`,
  },
];

/** A code or order is closed exactly if its one journal row exists, for the same user and quota. */
const claimed = (table: string, kind: string, ref: string, closed: string, user: string): string =>
  `SELECT CAST(v.id AS TEXT) AS broken FROM ${table} v
      LEFT JOIN journal j ON j.kind = '${kind}' AND j.ref = '${ref}:' || v.id
      WHERE (${closed}) <> (j.id IS NOT NULL)
        OR (j.id IS NOT NULL AND (j.user_id <> v.${user} OR j.delta <> v.quota))
    UNION ALL
    SELECT j.ref FROM journal j LEFT JOIN ${table} v ON j.ref = '${ref}:' || v.id
      WHERE j.kind = '${kind}' AND v.id IS NULL`;

const claims: readonly Check[] = [
  {
    name: 'A21 a redemption code is used = its credit is in the journal',
    sql: claimed('redemptions', 'redeem', 'redemption', 'v.status = 3', 'used_user_id'),
  },
  {
    name: 'A22 a top-up order is paid = its credit is in the journal',
    sql: claimed('top_up_orders', 'topup', 'order', "v.status = 'paid'", 'user_id'),
  },
];

const earnings: readonly Check[] = [
  {
    name: 'A23 invite earnings = what the journal says was earned and transferred',
    sql: `SELECT u.id AS broken FROM users u LEFT JOIN (
        SELECT user_id, sum(earned) AS left_over, sum(CASE WHEN earned > 0 THEN earned ELSE 0 END) AS ever
        FROM journal GROUP BY user_id
      ) j ON j.user_id = u.id
      WHERE u.aff_quota <> coalesce(j.left_over, 0) OR u.aff_history_quota <> coalesce(j.ever, 0)`,
  },
];

const pools: readonly Check[] = [
  {
    name: 'A24 the keys of a channel were used for at most what it was used for',
    // Less if a key was deleted or joined the pool later.
    sql: `SELECT k.channel_id AS broken FROM channel_keys k LEFT JOIN channels c ON c.id = k.channel_id
      GROUP BY k.channel_id, c.used_quota HAVING c.used_quota IS NULL OR sum(k.used_quota) > c.used_quota`,
  },
];

const published: readonly Check[] = [
  {
    name: 'A26 a version of the prices keeps every change it tells of',
    // Null for versions from before changes were counted.
    sql: `SELECT v.version AS broken FROM price_versions v LEFT JOIN
        (SELECT version, count(*) AS names FROM price_changes GROUP BY version) c ON c.version = v.version
      WHERE v.changes IS NOT NULL AND v.changes <> coalesce(c.names, 0)
      UNION ALL SELECT c.version FROM price_changes c LEFT JOIN price_versions v ON v.version = c.version
      WHERE v.version IS NULL`,
  },
];

const losses: readonly Check[] = [
  {
    name: 'A25 a row tells what its payer had not, as its hold does',
    // Rows of older versions do not record it.
    sql: `SELECT h.id AS broken FROM holds h JOIN logs l ON l.id = h.log_id
      WHERE h.state = 'settled' AND h.house_loss > 0 AND l.other LIKE '%"not_charged_units":%'
        AND l.other NOT LIKE '%"not_charged_units":' || h.house_loss || '}'`,
  },
];

const records: readonly Check[] = [
  {
    name: 'A27 costs, savings and what has no cost are in hourly sums as in the logs',
    // If rows were cleared or not written, the sums include more than the rows.
    sql: `SELECT hour AS broken FROM (
        SELECT ${keys}, calls, cost, uncosted_quota AS uncosted, saved FROM usage_hours
        UNION ALL
        SELECT created_at / 3600000 AS ${keys}, -1 AS calls, -coalesce(cost, 0) AS cost,
          CASE WHEN cost IS NULL AND type = 2 THEN -quota ELSE 0 END AS uncosted, -saved AS saved FROM logs
      ) x GROUP BY ${keys}
      HAVING sum(calls) = 0 AND (sum(cost) <> 0 OR sum(uncosted) <> 0 OR sum(saved) <> 0)`,
  },
];

/** Every invariant about money. */
export const checks: readonly Check[] = [
  ...users,
  ...tokens,
  ...holds,
  ...sums,
  ...whole,
  ...days,
  ...claims,
  ...earnings,
  ...pools,
  ...losses,
  ...published,
  ...records,
  ...toldChecks,
];
