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

/**
 * Keeps nodes from starting until the transaction ends. Throws `unavailable`, worded for the operator, if one is running.
 */
export const lockOutNodes = async (transaction: Kysely<Schema>): Promise<void> => {
  for (let leftMs = TIMEOUT_MS; ; leftMs -= AGAIN_AFTER_MS) {
    const { rows } = await sql<{ alone: boolean }>`
      SELECT pg_try_advisory_xact_lock(${NODE_LOCK}) AS alone`.execute(transaction);
    if (rows[0]?.alone === true) return;
    if (leftMs <= 0) break;
    await pause(AGAIN_AFTER_MS);
  }
  throw new AppError(
    'unavailable',
    'the tables must be migrated, and servers of an older version use them: stop all of them first',
  );
};
