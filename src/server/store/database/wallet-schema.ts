import type { Generated, Selectable } from 'kysely';

/*
 * The tables of migrations/ as the query builder sees them: 0003-wallet, 0026-statements, 0031-usage-links, 0035-token-tags.
 */

interface RedemptionsTable {
  id: Generated<number>;
  user_id: number;
  name: string;
  status: number;
  key_mac: string;
  key_encrypted: string;
  quota: number;
  created_at: number;
  expires_at: number | null;
  redeemed_at: Generated<number | null>;
  used_user_id: Generated<number>;
  deleted_at: Generated<number | null>;
}

interface TopUpOrdersTable {
  id: Generated<number>;
  user_id: number;
  trade_no: string;
  provider: string;
  method: string;
  quota: number;
  money_cents: number;
  status: 'pending' | 'paid';
  created_at: number;
  paid_at: Generated<number | null>;
}

interface StatementsTable {
  user_id: number;
  token_id: number;
  month: string;
  issued_at: number;
  sha256: string;
  /** JSON of a `Statement`. */
  document: string;
}

interface UsageLinksTable {
  id: Generated<number>;
  token_id: number;
  user_id: number;
  mac: string;
  note: string;
  created_at: number;
  created_by: number;
  expires_at: number | null;
  opened_at: number | null;
}

/** Hours are counted from 1970. */
interface TokenTagsTable {
  token_id: number;
  from_hour: number;
  until_hour: number;
  user_id: number;
  tag: string;
}

type TagStatementsTable = Omit<StatementsTable, 'token_id'> & { tag: string };

export interface WalletTables {
  redemptions: RedemptionsTable;
  top_up_orders: TopUpOrdersTable;
  statements: StatementsTable;
  tag_statements: TagStatementsTable;
  token_tags: TokenTagsTable;
  usage_links: UsageLinksTable;
}

export type RedemptionRecord = Selectable<RedemptionsTable>;
export type TopUpOrderRecord = Selectable<TopUpOrdersTable>;
