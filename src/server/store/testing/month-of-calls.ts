import { sql } from 'kysely';
import type { LedgerOp } from '#core/ledger/book.ts';
import { noUsage } from '#core/chat/usage.ts';
import type { Database } from '../database/database.ts';
import { createUserStore } from '../people/user-store.ts';
import { callLog, newUser } from './accounts.ts';

/*
 * A month of calls as many as one wants, for measures: nearly each has an hourly sum of its own, as users, tokens, models and
 * channels go by no rule, which is the worst that sums can meet.
 */

const DAYS = 30;
const USERS = 200;
const BATCH = 1000;
const TO_MS = 1_800_000_000_000;

export const MONTH = { fromMs: TO_MS - DAYS * 86_400_000, toMs: TO_MS } as const;

const OTHER = JSON.stringify({
  model_ratio: 1.25,
  group_ratio: 1,
  completion_ratio: 4,
  frt: 320,
  decision: 'x'.repeat(200),
});

/** Small numbers are common, large ones rare; the same every time. */
const pick = (seed: number, count: number): number => {
  const unit = ((Math.imul(seed, 2_654_435_761) >>> 0) % 1_000_003) / 1_000_003;
  return Math.floor(count * unit * unit);
};

const callAt = (at: number, rows: number): LedgerOp => {
  const user = 1 + pick(at, USERS);
  const failed = at % 20 === 0;
  const log = callLog({
    requestId: `request-${at}`,
    createdAtMs: Math.floor(MONTH.fromMs + ((MONTH.toMs - MONTH.fromMs) * at) / rows),
    type: failed ? 5 : 2,
    userId: user,
    username: `user ${user}`,
    tokenId: user * 3 + (at % 3),
    tokenName: `token ${user}-${at % 3}`,
    channelId: 1 + pick(at * 3, 12),
    model: `model ${pick(at * 7, 30)}`,
    group: ['default', 'default', 'vip', 'svip'][at % 4] as string,
    program: ['Codex', 'Claude Code', 'curl', undefined][at % 5],
    session: at % 2 === 0 ? `session ${Math.floor(at / 40)}` : undefined,
    usage: { ...noUsage, inputTokens: 100 + (at % 71), cacheReadTokens: at % 53, outputTokens: at % 37 },
    savedUnits: at % 53,
    costNano: failed || at % 17 === 0 ? undefined : 1_000_000 + at,
    quotaUnits: failed ? 0 : 1000 + (at % 977),
    other: OTHER,
  });
  return { op: 'note', log };
};

/** Fills a fresh database. */
export const fillMonth = async (database: Database, rows: number): Promise<void> => {
  for (let user = 0; user < USERS; user++)
    await createUserStore(database).create(newUser({ username: `user ${user + 1}` }));
  for (let at = 0; at < rows; at += BATCH)
    await database.runLedger(
      Array.from({ length: Math.min(BATCH, rows - at) }, (_, offset) => callAt(at + offset, rows)),
    );
  // A call found by its id is found by its hold.
  await sql`INSERT INTO holds (id, user_id, amount, token_amount, state, created_at, expires_at, closed_at, log_id)
    SELECT request_id, user_id, quota, 0, 'settled', created_at, created_at, created_at, id FROM logs WHERE id % 100 = 1`.execute(
    database.writer,
  );
  if (database.engine === 'postgres') await sql`VACUUM ANALYZE`.execute(database.writer);
};
