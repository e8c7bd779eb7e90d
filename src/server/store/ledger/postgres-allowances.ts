import type { PoolClient } from 'pg';
import type { AllowanceDay } from '#core/cost/allowance-use.ts';
import type { Book, LedgerOp } from '#core/ledger/book.ts';
import { allowanceAccount, allowanceDaysOf, allowanceKey } from '#core/ledger/use-allowance.ts';

const KEY = 'day, channel_id, key_id, unit, name';
const KEYS = 'unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::text[], $5::text[])';

const columnsOf = (days: readonly AllowanceDay[]) => [
  days.map(({ day }) => day),
  days.map(({ channelId }) => channelId),
  days.map(({ keyId }) => keyId),
  days.map(({ unit }) => unit),
  days.map(({ name }) => name),
];

interface Row {
  day: number;
  channel_id: number;
  key_id: number;
  unit: AllowanceDay['unit'];
  name: string;
  given: number;
}

/**
 * Locks and reads the days of free allowances that a batch uses. Makes those that are new, because only rows can be locked:
 * the update changes nothing. Nothing is asked if no call has an allowance.
 */
export const loadAllowances = async (
  client: PoolClient,
  ops: readonly LedgerOp[],
  book: Book,
): Promise<void> => {
  const days = allowanceDaysOf(ops);
  if (days.length === 0) return;
  const query = `INSERT INTO allowance_days (${KEY}, given) SELECT *, 0 FROM ${KEYS}
    ON CONFLICT (${KEY}) DO UPDATE SET given = allowance_days.given RETURNING *`;
  for (const row of (await client.query<Row>(query, columnsOf(days))).rows) {
    const { day, channel_id: channelId, key_id: keyId, unit, name, given } = row;
    const account = allowanceAccount({ day, channelId, keyId, unit, name }, given);
    book.allowances.set(allowanceKey(account), account);
  }
};

export const saveAllowances = async (client: PoolClient, book: Book): Promise<void> => {
  const days = [...book.allowances.values()].filter(({ changed }) => changed);
  if (days.length === 0) return;
  await client.query(
    `UPDATE allowance_days d SET given = u.given
      FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::text[], $5::text[], $6::bigint[]) AS u (${KEY}, given)
      WHERE (d.day, d.channel_id, d.key_id, d.unit, d.name) = (u.day, u.channel_id, u.key_id, u.unit, u.name)`,
    [...columnsOf(days), days.map(({ given }) => given)],
  );
};
