import type { AuditFinding } from '#core/ledger/audit.ts';
import type { Database } from '../database/database.ts';
import { readHere } from '../database/sqlite/read-here.ts';
import { auditDatabase } from '../ledger/audit.ts';

/**
 * What the audit finds against the books; a sound database has nothing here. SQLite is read in this thread: a thread for each
 * audit, as a busy server needs, takes 30 ms to start and end.
 */
export const brokenRules = async (database: Database, nowMs = Date.now()): Promise<AuditFinding[]> => {
  const findings = await auditDatabase(database.engine === 'sqlite' ? readHere(database) : database, nowMs);
  return findings.filter(({ violations }) => violations > 0);
};
