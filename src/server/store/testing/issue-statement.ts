import type { Statement } from '#contract/api/wallet/statements.ts';
import type { StatementOwner, StatementStore } from '#core/wallet/statement-store.ts';

/** The statement of a month, issued at a time when 500,000 units are a dollar. */
export const issueStatement = async (
  store: Pick<StatementStore, 'issue'>,
  owner: StatementOwner,
  month: string,
  nowMs: number,
): Promise<Statement> => (await store.issue(owner, month, { nowMs, unitsPerDollar: 500_000 })).statement;
