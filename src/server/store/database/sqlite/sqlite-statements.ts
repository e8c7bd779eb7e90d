import type { DatabaseSync, SQLOutputValue, StatementSync } from 'node:sqlite';
import { LOG_COLUMNS } from '../../logs/log-columns.ts';
import { addSums, daySums, hourSums, type Sums } from '../../logs/sums/usage-sums.ts';
import { closeVoucher, selectVoucher } from '../../wallet/voucher-rows.ts';

const marks = (count: number) => Array.from({ length: count }, () => '?').join(', ');

const addOne = <Row>(sums: Sums<Row>): string => addSums(sums, `VALUES (${marks(sums.columns.length)})`);

/** A statement that returns rows as arrays. Node's own type has them as objects, whatever `setReturnArrays` was told. */
interface RowStatement extends Pick<StatementSync, 'run'> {
  get(...parameters: (string | number)[]): SQLOutputValue[] | undefined;
  all(...parameters: (string | number)[]): SQLOutputValue[][];
}

/** Every statement of the ledger, prepared once. */
export const prepareAll = (database: DatabaseSync) => {
  const prepare = (sql: string): RowStatement => {
    const statement = database.prepare(sql);
    statement.setReturnArrays(true);
    return statement as unknown as RowStatement;
  };
  return {
    begin: prepare('BEGIN IMMEDIATE'),
    commit: prepare('COMMIT'),
    rollback: prepare('ROLLBACK'),
    hold: prepare(
      `SELECT id, user_id, token_id, amount, token_amount, created_at, expires_at, state, settled, house_loss, sent,
         checkpoint, closed_at FROM holds WHERE id = ?`,
    ),
    user: prepare(
      'SELECT quota, held, used_quota, request_count, aff_quota, status = 1 AND deleted_at IS NULL FROM users WHERE id = ?',
    ),
    token: prepare(
      `SELECT user_id, remain_quota, held, used_quota, accessed_at, unlimited, status = 1 AND deleted_at IS NULL
       FROM tokens WHERE id = ?`,
    ),
    username: prepare('SELECT username FROM users WHERE id = ?'),
    tokenName: prepare('SELECT name FROM tokens WHERE id = ?'),
    movement: prepare('SELECT 1 FROM journal WHERE kind = ? AND ref = ?'),
    saveUser: prepare(
      'UPDATE users SET quota = ?, held = ?, used_quota = ?, request_count = ?, aff_quota = ? WHERE id = ?',
    ),
    addEarned: prepare('UPDATE users SET aff_history_quota = aff_history_quota + ? WHERE id = ?'),
    saveToken: prepare(
      `UPDATE tokens SET remain_quota = ?, held = ?, used_quota = ?, issued_quota = issued_quota + ?, accessed_at = ?
       WHERE id = ?`,
    ),
    addHold: prepare(
      `INSERT INTO holds (id, user_id, token_id, amount, token_amount, created_at, expires_at, node_id, state)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, 'open')`,
    ),
    saveGrowth: prepare('UPDATE holds SET amount = ?, token_amount = ? WHERE id = ?'),
    saveCheckpoint: prepare('UPDATE holds SET sent = 1, checkpoint = ? WHERE id = ?'),
    openHolds: prepare(`SELECT id FROM holds WHERE state = 'open' AND user_id = ? ORDER BY id`),
    saveKept: prepare('UPDATE holds SET house_loss = ? WHERE id = ?'),
    saveHold: prepare(
      `UPDATE holds SET state = ?, settled = ?, house_loss = ?, sent = ?, checkpoint = ?, closed_at = ?, log_id = ?
       WHERE id = ?`,
    ),
    addMovement: prepare(
      `INSERT INTO journal (kind, ref, user_id, delta, reason, actor_id, created_at, quota_after, earned)
       VALUES (${marks(9)})`,
    ),
    code: prepare(selectVoucher('redeem', 'id = ?')),
    order: prepare(selectVoucher('topup', 'id = ?')),
    closeCode: prepare(closeVoucher('redeem')),
    closeOrder: prepare(closeVoucher('topup')),
    addLog: prepare(`INSERT INTO logs (${LOG_COLUMNS.join(', ')}) VALUES (${marks(LOG_COLUMNS.length)})`),
    reopenHour: prepare('DELETE FROM totalled_hours WHERE hour = ?'),
    addHour: prepare(addOne(hourSums)),
    addDay: prepare(addOne(daySums)),
    allowance: prepare(
      'SELECT given FROM allowance_days WHERE day = ? AND channel_id = ? AND key_id = ? AND unit = ? AND name = ?',
    ),
    saveAllowance: prepare(
      `INSERT INTO allowance_days (day, channel_id, key_id, unit, name, given) VALUES (${marks(6)})
       ON CONFLICT DO UPDATE SET given = excluded.given`,
    ),
    addKey: prepare('UPDATE channel_keys SET used_quota = used_quota + ? WHERE id = ?'),
    addChannel: prepare('UPDATE channels SET used_quota = used_quota + ? WHERE id = ?'),
    name: prepare('SELECT id FROM names WHERE name = ?'),
    addName: prepare('INSERT INTO names (name) VALUES (?)'),
  };
};

export type Statements = ReturnType<typeof prepareAll>;
