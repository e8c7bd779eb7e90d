import { CompiledQuery } from 'kysely';
import type { AuditFinding } from '#core/ledger/audit.ts';
import { checks } from './audit-checks.ts';
import { auditStatements } from './audit-statements.ts';
import type { Database } from '../database/database.ts';

/**
 * Checks every invariant about money on a snapshot of a live database, without blocking anybody.
 * @returns one finding per check, including those without violations
 */
export const auditDatabase = (database: Pick<Database, 'snapshot'>, nowMs: number): Promise<AuditFinding[]> =>
  database.snapshot(async (moment) => {
    const findings: AuditFinding[] = [];
    for (const { name, sql } of checks) {
      const query = `SELECT count(*) AS violations, min(CAST(broken AS TEXT)) AS example
        FROM (${sql.replace(':now', String(Math.floor(nowMs)))}) AS findings`;
      const { rows } = await moment.executeQuery<Omit<AuditFinding, 'check'>>(CompiledQuery.raw(query));
      findings.push({ check: name, violations: rows[0]?.violations ?? 0, example: rows[0]?.example ?? null });
    }
    findings.push(await auditStatements(moment));
    return findings;
  });
