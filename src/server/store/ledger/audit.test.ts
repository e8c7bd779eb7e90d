import { createHash } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Statement } from '#contract/api/wallet/statements.ts';
import { statementOf } from '#core/seal/testing/sealed-months.ts';
import { auditDatabase } from './audit.ts';
import { checks } from './audit-checks.ts';
import { createChannelKeyStore } from '../channels/channel-key-store.ts';
import type { Database } from '../database/database.ts';
import type { Schema } from '../database/schema.ts';
import { createLedger } from './ledger.ts';
import { callLog, givenChannel, givenToken, givenUser } from '../testing/accounts.ts';
import { brokenRules } from '../testing/broken-rules.ts';
import { engines, type TestDatabase } from '../testing/engines.ts';
import { claimOf, givenCode, givenOrder } from '../testing/vouchers.ts';

const NOW_MS = 10_000;

/** Two users, calls of every fate: settled with and without a channel, a log or a token; voided; open; above its hold. */
const seed = async (database: Database) => {
  const ledger = createLedger(database);
  const [one, two] = [await givenUser(database, ledger, 1000), await givenUser(database, ledger, 100)];
  const limited = await givenToken(database, one, 500);
  const unlimited = await givenToken(database, one);
  const channelId = await givenChannel(database);
  const keyId = await givenKey(database, channelId);
  const call = async (
    id: string,
    userId: number,
    tokenId: number | null,
    charge: number | 'void' | 'open',
    changes = {},
  ) => {
    await ledger.hold({ id, userId, tokenId, quotaUnits: 50, nowMs: 2_000, expiresAtMs: 602_000 });
    const log = callLog({ requestId: id, userId, ...changes });
    if (charge === 'void') await ledger.void(id, 3_000, { ...log, type: 5 });
    else if (charge !== 'open') {
      await ledger.settle({ id, quotaUnits: charge, nowMs: 3_000, log, writeLog: id !== 'unlogged' });
    }
  };
  await call('limited', one, limited, 30, { channelId });
  await call('unlimited', one, unlimited, 40, { channelId, keyId });
  await call('no channel', one, null, 20);
  await call('unlogged', one, null, 10, { model: 'unlogged' });
  await call('voided', one, limited, 'void');
  await call('open', one, limited, 'open');
  await ledger.grow({ id: 'open', quotaUnits: 60, leastUnits: 60 });
  await ledger.hold({ id: 'grown', userId: one, tokenId: limited, quotaUnits: 5, nowMs: 2, expiresAtMs: 9 });
  await ledger.grow({ id: 'grown', quotaUnits: 25, leastUnits: 5 });
  const grown = callLog({ requestId: 'grown', userId: one, channelId });
  await ledger.settle({ id: 'grown', quotaUnits: 25, nowMs: 3_000, log: grown, writeLog: true });
  await call('open of two', two, null, 'open');
  await call('above', two, null, 200, { model: 'dear' });
  await ledger.move({
    kind: 'admin',
    ref: 'a',
    userId: one,
    deltaUnits: -5,
    reason: '',
    actorId: 1,
    nowMs: 1,
  });
  await ledger.claim(claimOf('redeem', await givenCode(database), one));
  await ledger.claim(claimOf('topup', await givenOrder(database, two), two));
  await givenCode(database);
  await givenOrder(database, two);
  await ledger.close();
};

/** A key of a channel that has several. */
const givenKey = async (database: Database, channelId: number): Promise<number> => {
  const store = createChannelKeyStore(database);
  const keys = ['one', 'two'].map((name) => ({
    label: name,
    tail: name,
    encryptedKey: name,
    keyMac: name,
    weight: 1,
  }));
  await store.add(channelId, keys, { limit: 10, nowMs: 1 });
  return (await store.ofChannels([channelId]))[0]?.id ?? 0;
};

/** For each check what breaks it, and it alone. */
const corruptions: Record<string, readonly string[]> = {
  A01: [`UPDATE users SET quota = quota + 1 WHERE id = 2`, `UPDATE users SET quota = quota - 1 WHERE id = 1`],
  A02: [`UPDATE users SET held = held + 1 WHERE id = 1`, `UPDATE users SET held = held - 1 WHERE id = 2`],
  A03: [
    `UPDATE users SET used_quota = used_quota + 1 WHERE id = 1`,
    `UPDATE users SET used_quota = used_quota - 1 WHERE id = 2`,
  ],
  A04: [`UPDATE users SET request_count = 0 WHERE id = 1`],
  A05: [`UPDATE tokens SET issued_quota = issued_quota + 1 WHERE id = 1`],
  A06: [`UPDATE tokens SET held = held + 1, issued_quota = issued_quota + 1 WHERE id = 1`],
  A07: [`UPDATE tokens SET used_quota = used_quota + 1, issued_quota = issued_quota + 1 WHERE id = 2`],
  A08: [`UPDATE holds SET closed_at = NULL WHERE id = 'voided'`],
  A09: [`UPDATE holds SET expires_at = 5 - 60000 WHERE id = 'open'`],
  A10: [`UPDATE logs SET request_id = 'another' WHERE request_id = 'limited'`],
  A11: [
    `INSERT INTO logs (created_at, type, user_id, username_id, token_id, token_name_id, channel_id, group_id, model_id, quota,
      prompt_tokens, completion_tokens, use_time_ms, is_stream, ip, request_id, content, other)
      VALUES (1, 2, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, '', 'ghost', '', '')`,
    `INSERT INTO usage_hours (hour, type, user_id, token_id, token_name_id, model_id, channel_id, group_id, calls, quota,
      prompt_tokens, completion_tokens, log_rows, log_quota) VALUES (0, 2, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0)`,
    `INSERT INTO log_days VALUES (0, 2, 0, 0, 0, 1, 0)`,
  ],
  A12: [`UPDATE usage_hours SET quota = quota + 1 WHERE channel_id = 0 AND user_id = 2 AND type = 2`],
  A13: [`UPDATE channels SET used_quota = used_quota + 1`],
  A14: [
    `UPDATE usage_hours SET log_rows = 1 WHERE log_rows = 0`,
    `INSERT INTO log_days SELECT 0, type, model_id, channel_id, group_id, 1, 0 FROM usage_hours
      WHERE log_rows = 1 AND log_quota = 0 AND quota > 0`,
  ],
  A15: [`UPDATE usage_hours SET calls = 0 WHERE user_id = 2`],
  A16: [
    `UPDATE holds SET house_loss = 9007199254740992 WHERE id = 'above'`,
    `UPDATE logs SET other = '' WHERE request_id = 'above'`,
    `INSERT INTO allowance_days (day, channel_id, key_id, unit, name, given) VALUES (1, 1, 0, 'calls', 'x', -1)`,
  ],
  A17: [
    `INSERT INTO journal (kind, ref, user_id, delta, reason, actor_id, created_at) VALUES ('grant', 'x', 99, 7, '', 0, 1)`,
  ],
  A18: [
    `DROP INDEX journal_ref`,
    `INSERT INTO journal (kind, ref, user_id, delta, reason, actor_id, created_at) VALUES ('admin', 'a', 1, 0, '', 0, 1)`,
  ],
  A19: [
    `INSERT INTO holds (id, user_id, amount, token_amount, state, created_at, expires_at, closed_at)
      VALUES ('ghost', 99, 5, 0, 'voided', 1, 1, 1)`,
  ],
  A20: [`UPDATE log_days SET log_quota = log_quota + 1 WHERE type = 2`],
  A21: [`UPDATE redemptions SET status = 3, used_user_id = 1 WHERE status = 1`],
  A22: [`UPDATE top_up_orders SET quota = quota + 1 WHERE status = 'paid'`],
  A23: [`UPDATE users SET aff_quota = aff_quota + 1 WHERE id = 1`],
  // The channel was used for 95.
  A24: [`UPDATE channel_keys SET used_quota = used_quota + 56 WHERE used_quota = 40`],
  // The user had 100 for a call of 200, of which 50 were held by another.
  A25: [`UPDATE logs SET other = '{"not_charged_units":99}' WHERE request_id = 'above'`],
  A26: [`INSERT INTO price_changes (version, option_name, name) VALUES (99, 'ModelRatio', 'm')`],
  A27: [`UPDATE usage_hours SET cost = cost + 1 WHERE type = 2 AND calls = log_rows AND user_id = 2`],
  A28: [
    `INSERT INTO seal_parts (user_id, month, list, seal, row_count, units, count_before, units_before, from_ms, to_ms, root, place,
      size, path)
      VALUES (1, '1970-01', 'calls', 1, 1, 5, 0, 0, 0, 0, '', 0, 1, ''), (1, '1970-01', 'calls', 2, 1, 5, 1, 6, 0, 0, '', 0, 1, '')`,
  ],
  A29: [
    `INSERT INTO holds (id, user_id, amount, token_amount, state, created_at, expires_at, closed_at)
      VALUES ('task-x', 1, 5, 0, 'voided', 1, 1, 1)`,
    `INSERT INTO tasks (platform, public_id, upstream_id, user_id, username, token_id, token_name, channel_id, group_name, model, action,
      code, status, progress, prompt, prompt_en, description, caller_state, created_at, submitted_at, started_at, finished_at, image_url,
      fail_reason, quota, notify_hook, reached_at, buttons, properties, task_data, pricing)
      VALUES ('mj', 'x', '', 1, '', 0, '', 0, '', '', '', 0, 'SUCCESS', '', '', '', '', '', 1, 1, 1, 1, '', '', 5, '', '', '', '', '', '')`,
  ],
  A31: [`UPDATE journal SET quota_after = quota_after + 300 WHERE kind = 'admin'`],
  A32: [
    `INSERT INTO house_costs (day, channel_id, kind, calls, cost, uncosted_calls) VALUES (1, 1, 'test', 2, 5, 2)`,
    `INSERT INTO house_costs (day, channel_id, kind, calls, cost, uncosted_calls, estimated_calls)
      VALUES (2, 1, 'test', 2, 5, 1, 2)`,
  ],
  A33: [`UPDATE channels SET balance_usd = 5`],
  A34: [
    `INSERT INTO totalled_hours (hour, is_ready, by_run) SELECT min(hour), 1, '' FROM usage_hours WHERE type = 2`,
  ],
  A35: [
    `UPDATE logs SET priced = '1' WHERE request_id = 'limited'`,
    `INSERT INTO totalled_hours (hour, is_ready, by_run, is_packed)
      SELECT created_at / 3600000, 0, '', 1 FROM logs WHERE request_id = 'limited'`,
  ],
};

for (const engine of engines) {
  describe.skipIf(engine.missing !== undefined)(`the audit on ${engine.name}`, () => {
    let opened: TestDatabase;
    beforeAll(async () => {
      opened = await engine.create();
      await seed(opened.database);
    });
    afterAll(() => opened.remove());

    /** What is broken, as seen by the transaction that broke it. */
    const violated = async (moment: Kysely<Schema>) =>
      (await auditDatabase({ snapshot: (read) => read(moment) }, NOW_MS))
        .filter(({ violations }) => violations > 0)
        .map(({ check }) => check.slice(0, 3));

    /** All of this is undone in the end: each test finds the books as they were seeded, which takes longer than an audit. */
    const undone = async (work: (moment: Kysely<Schema>) => Promise<void>): Promise<void> => {
      const over = new Error('over');
      const broken = opened.database.writer.transaction().execute(async (moment) => {
        await work(moment);
        throw over;
      });
      await broken.catch((thrown: unknown) => {
        if (thrown !== over) throw thrown;
      });
    };

    it('finds nothing after calls of every fate', async () => {
      expect(await auditDatabase(opened.database, NOW_MS)).toHaveLength(checks.length + 1);
      expect(await brokenRules(opened.database, NOW_MS)).toEqual([]);
    });

    it('has a test corruption for every check', () => {
      expect(Object.keys(corruptions)).toEqual(checks.map(({ name }) => name.slice(0, 3)));
    });

    it('catches a statement that was changed, does not add up, or does not follow the one before (A30)', async () => {
      const of = (month: string, opening: number, closing: number) => ({
        ...statementOf(1, [], [], month),
        opening_units: opening,
        closing_units: closing,
      });
      const save = async (moment: Kysely<Schema>, statement: Statement, sha256?: string): Promise<void> => {
        const document = JSON.stringify(statement);
        const kept = sha256 ?? createHash('sha256').update(document).digest('hex');
        await sql`DELETE FROM statements WHERE month = ${statement.month}`.execute(moment);
        await sql`INSERT INTO statements (user_id, token_id, month, issued_at, sha256, document)
          VALUES (1, 0, ${statement.month}, 1, ${kept}, ${document})`.execute(moment);
      };
      await undone(async (moment) => {
        await save(moment, of('2026-01', 5, 5));
        await save(moment, of('2026-02', 5, 5));
        expect(await violated(moment)).toEqual([]);
        await save(moment, of('2026-02', 6, 6));
        expect(await violated(moment)).toEqual(['A30']);
        await save(moment, of('2026-02', 5, 6));
        expect(await violated(moment)).toEqual(['A30']);
        await save(moment, of('2026-02', 5, 5), 'another');
        expect(await violated(moment)).toEqual(['A30']);
        await save(moment, of('2026-03', 9, 9));
        await save(moment, of('2026-02', 5, 5));
        expect(await violated(moment)).toEqual(['A30']);
      });
    });

    it('catches one wrong statement behind more than are read at once', async () => {
      const document = JSON.stringify(statementOf(1, [], [], '2026-01'));
      const sha256 = createHash('sha256').update(document).digest('hex');
      const rows = Array.from({ length: 201 }, (_, at) => ({
        user_id: 1,
        token_id: at,
        month: '2026-01',
        issued_at: 1,
        sha256: at === 200 ? 'another' : sha256,
        document,
      }));
      await undone(async (moment) => {
        await moment.insertInto('statements').values(rows.slice(0, 200)).execute();
        expect(await violated(moment)).toEqual([]);
        await moment.insertInto('statements').values(rows.slice(200)).execute();
        expect(await violated(moment)).toEqual(['A30']);
      });
    });

    for (const [check, statements] of Object.entries(corruptions)) {
      it(`catches what breaks ${check}, and blames nothing else`, async () => {
        await undone(async (moment) => {
          for (const statement of statements) await sql.raw(statement).execute(moment);
          expect(await violated(moment)).toEqual([check]);
        });
      });
    }
  });
}
