import { ADDED, dimensions, IS_CALL } from '../logs/sums/usage-totals.ts';
import type { Check } from './audit-check.ts';

const isReady = 'hour IN (SELECT hour FROM totalled_hours WHERE is_ready = 1)';
const isPacked = 'hour IN (SELECT hour FROM totalled_hours WHERE is_packed = 1)';
const key = 'dimension, hour, type, key_id, name_id';
const less = ADDED.map((column) => `-${column}`).join(', ');

const asTheyAre = Object.entries(dimensions).map(
  ([dimension, { key: keyId, name }]) =>
    `SELECT '${dimension}', hour, type, ${keyId}, ${name}, ${less} FROM usage_hours WHERE ${isReady} AND ${IS_CALL}`,
);

/** Invariants of what is reported, sealed or stored along with the money. */
export const toldChecks: readonly Check[] = [
  {
    name: 'A28 what a seal has of a month goes on from the seals before',
    sql: `SELECT seal AS broken FROM (
        SELECT seal, count_before, units_before, coalesce(sum(row_count) OVER earlier, 0) AS counted,
          coalesce(sum(units) OVER earlier, 0) AS summed
        FROM seal_parts WINDOW earlier AS
          (PARTITION BY user_id, month, list ORDER BY seal ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
      ) p WHERE count_before <> counted OR units_before <> summed`,
  },
  {
    name: 'A29 a task that ended has its hold closed the same way',
    sql: `SELECT t.id AS broken FROM tasks t JOIN holds h ON h.id = 'task-' || t.public_id
      WHERE (t.status = 'SUCCESS' AND (h.state <> 'settled' OR h.settled > t.quota))
        OR (t.status = 'FAILURE' AND (h.state = 'settled' OR t.quota <> 0))`,
  },
  {
    name: 'A31 the balance a movement tells is one its user can have had then',
    // At most all that was received until then, and at least that minus all that was ever held or charged.
    sql: `SELECT m.id AS broken FROM (
        SELECT id, user_id, quota_after, sum(delta) OVER (PARTITION BY user_id ORDER BY id) AS come_in FROM journal
      ) m LEFT JOIN (
        SELECT user_id, sum(CASE WHEN settled > amount THEN settled ELSE amount END) AS aside FROM holds GROUP BY user_id
      ) h ON h.user_id = m.user_id
      WHERE m.quota_after > m.come_in OR m.quota_after < m.come_in - coalesce(h.aside, 0)`,
  },
  {
    name: 'A32 costs of the house are of calls, and unknown where none of them is known',
    sql: `SELECT 'channel ' || channel_id || ' on day ' || day AS broken FROM house_costs
      WHERE calls < 1 OR uncosted_calls NOT BETWEEN 0 AND calls OR (uncosted_calls = calls AND cost <> 0)
        OR estimated_calls NOT BETWEEN 0 AND calls - uncosted_calls
        OR kind NOT IN ('attempt', 'test', 'hedge', 'sealed', 'killed') OR (kind = 'killed' AND uncosted_calls <> calls)`,
  },
  {
    name: 'A33 the balance of a channel is a number, and was read at some time',
    sql: `SELECT id AS broken FROM channels
      WHERE NOT (balance_usd BETWEEN -9007199254740991 AND 9007199254740991) OR (balance_usd <> 0 AND balance_updated_at <= 0)`,
  },
  // Views read these totals instead of the hourly sums.
  {
    name: 'A34 totals of hours that are added up = hourly sums, by each dimension',
    sql: `SELECT hour AS broken FROM (
        SELECT ${key}, ${ADDED.join(', ')} FROM usage_totals WHERE ${isReady}
        UNION ALL ${asTheyAre.join(' UNION ALL ')}
      ) x GROUP BY ${key} HAVING ${ADDED.map((column) => `sum(${column}) <> 0`).join(' OR ')}`,
  },
  // A preview of prices reads these packs instead of rows.
  {
    name: 'A35 packs of hours that are packed = the calls of their rows',
    sql: `SELECT hour AS broken FROM (
        SELECT hour, calls FROM packed_calls WHERE ${isPacked}
        UNION ALL SELECT created_at / 3600000, -1 FROM logs WHERE priced IS NOT NULL AND created_at / 3600000 IN (
          SELECT hour FROM totalled_hours WHERE is_packed = 1)
      ) x GROUP BY hour HAVING sum(calls) <> 0`,
  },
];
