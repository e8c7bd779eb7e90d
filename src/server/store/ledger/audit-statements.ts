import { createHash } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import { type Statement, statement as statementShape } from '#contract/api/wallet/statements.ts';
import { ownSums } from '#core/seal/statement-sums.ts';
import { gapsBetween } from '#core/seal/statements-in-order.ts';
import { monthAfter } from '#core/wallet/statement.ts';
import type { AuditFinding } from '#core/ledger/audit.ts';
import type { Schema } from '../database/schema.ts';

const NAME = 'A30 a statement is as it was issued, adds up, and goes on from the one before';
const AT_ONCE = 200;

interface Row {
  readonly user_id: number;
  readonly token_id: number;
  readonly month: string;
  readonly tag: string;
  readonly sha256: string;
  readonly document: string;
}

/** Statements of accounts, tokens and tags, by owner and then by month. */
const rowsAfter = async (moment: Kysely<Schema>, skipped: number): Promise<readonly Row[]> => {
  const { rows } = await sql<Row>`
    SELECT user_id, token_id, month, '' AS tag, sha256, document FROM statements
    UNION ALL SELECT user_id, 0 AS token_id, month, tag, sha256, document FROM tag_statements
    ORDER BY 1, 2, 4, 3 LIMIT ${AT_ONCE} OFFSET ${skipped}`.execute(moment);
  return rows;
};

const ownerOf = ({ user_id, token_id, tag }: Row): string => `${user_id} ${token_id} ${tag}`;

const statementIn = ({ document, sha256 }: Row): Statement | undefined => {
  if (createHash('sha256').update(document).digest('hex') !== sha256) return undefined;
  try {
    const { data } = statementShape.safeParse(JSON.parse(document));
    return data !== undefined && ownSums(data).length === 0 ? data : undefined;
  } catch {
    return undefined;
  }
};

/** Whether the earlier month ends where this one begins. */
const follows = (before: Statement, next: Statement): boolean =>
  monthAfter(before.month) !== next.month || gapsBetween(before, next).length === 0;

/** Reads every issued statement. */
export const auditStatements = async (moment: Kysely<Schema>): Promise<AuditFinding> => {
  const broken: string[] = [];
  let before: { readonly owner: string; readonly statement: Statement } | undefined;
  for (let skipped = 0; ; skipped += AT_ONCE) {
    const rows = await rowsAfter(moment, skipped);
    for (const row of rows) {
      const [owner, statement] = [ownerOf(row), statementIn(row)];
      const isNext =
        before?.owner !== owner || statement === undefined || follows(before.statement, statement);
      if (statement === undefined || !isNext) broken.push(`${owner} ${row.month}`.trim());
      before = statement && { owner, statement };
    }
    if (rows.length < AT_ONCE) break;
  }
  return { check: NAME, violations: broken.length, example: broken[0] ?? null };
};
