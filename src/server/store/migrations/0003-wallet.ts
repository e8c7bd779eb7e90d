import type { Migration } from './migration.ts';

const amount = (column: string) => `CHECK (${column} BETWEEN 1 AND 9007199254740991)`;

/** How money is received. */
export const wallet: Migration = {
  name: '0003-wallet',
  statements: ({ id, integer, end }) => [
    // user_id created it; used_user_id redeemed it, 0 if nobody has. A redeemed one stays even if deleted, because it
    // explains a credit.
    `CREATE TABLE redemptions (
      id ${id},
      user_id ${integer} NOT NULL,
      name TEXT NOT NULL,
      status ${integer} NOT NULL,
      key_mac TEXT NOT NULL UNIQUE,
      key_encrypted TEXT NOT NULL,
      quota ${integer} NOT NULL ${amount('quota')},
      created_at ${integer} NOT NULL,
      expires_at ${integer},
      redeemed_at ${integer},
      used_user_id ${integer} NOT NULL DEFAULT 0,
      deleted_at ${integer}
    ${end}`,
    // quota is the amount credited, money_cents the amount charged; both are fixed when the order is created.
    `CREATE TABLE top_up_orders (
      id ${id},
      user_id ${integer} NOT NULL REFERENCES users (id),
      trade_no TEXT NOT NULL UNIQUE,
      provider TEXT NOT NULL,
      method TEXT NOT NULL,
      quota ${integer} NOT NULL ${amount('quota')},
      money_cents ${integer} NOT NULL ${amount('money_cents')},
      status TEXT NOT NULL CHECK (status IN ('pending', 'paid')),
      created_at ${integer} NOT NULL,
      paid_at ${integer}
    ${end}`,
    `CREATE INDEX top_up_orders_user ON top_up_orders (user_id, id)`,
    // The available quota right after the movement; unknown for rows older than this column.
    `ALTER TABLE journal ADD COLUMN quota_after ${integer}`,
    `CREATE INDEX journal_user ON journal (user_id, id)`,
  ],
};
