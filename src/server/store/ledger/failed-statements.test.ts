import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { callLog, givenChannel, givenToken, givenUser } from '../testing/accounts.ts';
import { brokenRules } from '../testing/broken-rules.ts';
import { onEachEngine } from '../testing/on-each-engine.ts';
import { claimOf, givenCode } from '../testing/vouchers.ts';

/** Whichever statement of an operation fails, nothing of the operation is stored, and whoever asked for it is told. */

const FAILING = {
  hold: ['INSERT ON holds', 'UPDATE ON users', 'UPDATE ON tokens'],
  settle: [
    'UPDATE ON holds',
    'UPDATE ON users',
    'UPDATE ON tokens',
    'UPDATE ON channels',
    'INSERT ON logs',
    'INSERT ON usage_hours',
    'INSERT ON log_days',
  ],
  move: ['INSERT ON journal', 'UPDATE ON users'],
  claim: ['INSERT ON journal', 'UPDATE ON users', 'UPDATE ON redemptions'],
} as const;

onEachEngine('an operation of the ledger', (on) => {
  const isPostgres = on.engine.name === 'postgres';
  const run = async (statement: string): Promise<void> =>
    void (await sql.raw(statement).execute(on.database.writer));

  /** Makes such statements fail from now on. @returns lets them pass again */
  const failing = async (statement: string): Promise<() => Promise<void>> => {
    if (!isPostgres) {
      await run(`CREATE TRIGGER refused BEFORE ${statement} BEGIN SELECT RAISE(ABORT, 'refused'); END`);
      return () => run('DROP TRIGGER refused');
    }
    await run(`CREATE OR REPLACE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE EXCEPTION 'refused'; END $$`);
    await run(`CREATE TRIGGER refused BEFORE ${statement} FOR EACH ROW EXECUTE FUNCTION refuse()`);
    return () => run(`DROP TRIGGER refused${statement.replace(/^\w+/, '')}`);
  };

  /** An account, and the operations that are asked for with it. */
  const account = async () => {
    const { database, ledger } = on;
    const userId = await givenUser(database, ledger, 1000);
    const tokenId = await givenToken(database, userId, 500);
    const channelId = await givenChannel(database);
    const codeId = await givenCode(database);
    const held = (id: string) =>
      ledger.hold({ id, userId, tokenId, quotaUnits: 100, nowMs: 2_000, expiresAtMs: 602_000 });
    const running = `running-${String(userId)}`;
    expect(await held(running)).toBe('held');
    const log = callLog({ requestId: running, userId, tokenId, channelId });
    const movement = {
      kind: 'grant',
      ref: running,
      userId,
      deltaUnits: 7,
      reason: '',
      actorId: userId,
    } as const;
    return {
      hold: () => held(`next-${String(userId)}`),
      settle: () => ledger.settle({ id: running, quotaUnits: 40, nowMs: 3_000, writeLog: true, log }),
      move: () => ledger.move({ ...movement, nowMs: 3_000 }),
      claim: () => ledger.claim(claimOf('redeem', codeId, userId)),
    };
  };

  /** The sums of everything that an operation changes. */
  const books = async (): Promise<unknown> => {
    const counted = await sql`SELECT
      (SELECT sum(quota) FROM users) AS quota, (SELECT sum(held) FROM users) AS held,
      (SELECT sum(remain_quota) FROM tokens) AS remain, (SELECT count(*) FROM holds WHERE state = 'open') AS open,
      (SELECT count(*) FROM logs) AS logs, (SELECT count(*) FROM journal) AS moved,
      (SELECT count(*) FROM redemptions WHERE used_user_id > 0) AS redeemed,
      (SELECT sum(used_quota) FROM channels) AS used`.execute(on.database.writer);
    return counted.rows;
  };

  const cases = Object.entries(FAILING).flatMap(([name, statements]) =>
    statements.map((statement) => [name as keyof typeof FAILING, statement] as const),
  );
  describe.each(cases)('to %s', (name, statement) => {
    it(`fails whole if ${statement} does, and can be repeated`, async () => {
      const ask = (await account())[name];
      const before = await books();
      const pass = await failing(statement);
      const told = await ask().catch((error: unknown) => error);
      await pass();
      expect(told).toBeInstanceOf(Error);
      expect(await books()).toEqual(before);
      await ask();
      expect(await books()).not.toEqual(before);
      expect(await brokenRules(on.database, 10_000)).toEqual([]);
    });
  });
});
