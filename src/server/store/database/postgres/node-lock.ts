import { setTimeout as pause } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import { AppError } from '#core/error.ts';
import type { Schema } from '../schema.ts';

/**
 * Every running node, of any version, holds this advisory lock in shared mode. A node that can take it exclusively is
 * alone.
 */
export const NODE_LOCK = 7_462_951_083;

/** How long to wait for the connection of a killed node to end. */
const TIMEOUT_MS = 2000;
const AGAIN_AFTER_MS = 100;

/** A node whose connection broke asks for the lock again after this long, and waits for it. */
export const RETURN_AFTER_MS = 500;
/** By then it has asked, also on a busy machine. */
const RETURNED_MS = 2000;

/**
 * Whether a node that is in the list lives after all, asked while nobody else has the lock. A connection ends with the
 * server's restart, and its lock with it, but the node goes on and comes back. Nobody else waits for this lock.
 */
export const somebodyReturns = async (connection: Kysely<Schema>): Promise<boolean> => {
  for (let leftMs = RETURNED_MS; ; leftMs -= AGAIN_AFTER_MS) {
    const { rows } = await sql<{ waits: boolean }>`
      SELECT EXISTS (SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
        AND (classid::bigint << 32) + objid::bigint = ${NODE_LOCK}) AS waits`.execute(connection);
    if (rows[0]?.waits === true) return true;
    if (leftMs <= 0) return false;
    await pause(AGAIN_AFTER_MS);
  }
};

/** Whether the list of nodes, which versions of long ago did not have, names any. */
const hasNodes = async (transaction: Kysely<Schema>): Promise<boolean> => {
  const { rows } = await sql<{ list: string | null }>`SELECT to_regclass('nodes') AS list`.execute(
    transaction,
  );
  if ((rows[0]?.list ?? null) === null) return false;
  return (await transaction.selectFrom('nodes').select('id').limit(1).execute()).length > 0;
};

/**
 * Keeps nodes from starting until the transaction ends. Throws `unavailable`, worded for the operator, if one is running.
 */
export const lockOutNodes = async (transaction: Kysely<Schema>): Promise<void> => {
  for (let leftMs = TIMEOUT_MS; ; leftMs -= AGAIN_AFTER_MS) {
    const { rows } = await sql<{ alone: boolean }>`
      SELECT pg_try_advisory_xact_lock(${NODE_LOCK}) AS alone`.execute(transaction);
    if (rows[0]?.alone === true) {
      if (!(await hasNodes(transaction)) || !(await somebodyReturns(transaction))) return;
      break;
    }
    if (leftMs <= 0) break;
    await pause(AGAIN_AFTER_MS);
  }
  throw new AppError(
    'unavailable',
    'the tables must be migrated, and servers of an older version use them: stop all of them first',
  );
};
