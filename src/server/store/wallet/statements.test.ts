import { createHash, randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Statement } from '#contract/api/wallet/statements.ts';
import { monthAfter } from '#core/wallet/statement.ts';
import { brokenRules } from '../testing/broken-rules.ts';
import { givenCall, givenToken, givenUser } from '../testing/accounts.ts';
import { createStatementStore } from './statement-store.ts';
import { onEachEngine } from '../testing/on-each-engine.ts';
import { issueStatement } from '../testing/issue-statement.ts';

const START = 1_000_000;
const MONTHS = ['2026-01', '2026-02', '2026-03'] as const;
const END_OF = (at: number): number => Date.UTC(2026, at + 1, 1);

const step = fc.oneof(
  fc.record({
    call: fc.constant(true),
    /** In which month it begins: the last that is open, or one that may have a statement. */
    month: fc.nat(2),
    model: fc.constantFrom('gpt-5', 'claude', '=evil'),
    token: fc.nat(2),
    units: fc.nat(900),
  }),
  fc.record({ call: fc.constant(false), month: fc.nat(2), units: fc.integer({ min: -200, max: 500 }) }),
  fc.record({ issue: fc.nat(2) }),
);

const sum = (lines: readonly { readonly units: number }[]): number =>
  lines.reduce((total, { units }) => total + units, 0);

const adds = (one: Statement): void => {
  const moved = one.movements.reduce((total, { in_units, out_units }) => total + in_units + out_units, 0);
  expect(sum(one.models)).toBe(one.charged_units);
  expect(sum(one.tokens)).toBe(one.charged_units);
  expect(sum(one.late)).toBe(one.late_units);
  expect(one.charged_before_units + one.charged_units + one.late_units).toBe(one.charged_after_units);
  if (one.token_id !== 0) return;
  const { opening_units: opening, closing_units: closing } = one;
  expect(opening! + moved + one.late_moved_units - one.charged_units - one.late_units).toBe(closing);
};

onEachEngine('statements', (on) => {
  const call = (
    userId: number,
    tokenId: number | null,
    model: string,
    units: number,
    createdAtMs: number,
  ): Promise<void> => {
    const token = tokenId === null ? {} : { tokenId, tokenName: 'a token' };
    return givenCall(on.ledger, units, { requestId: randomUUID(), userId, model, createdAtMs, ...token });
  };
  const move = (userId: number, deltaUnits: number, nowMs: number) =>
    on.ledger.move({ kind: 'admin', ref: randomUUID(), userId, deltaUnits, reason: '', actorId: 1, nowMs });

  it('add up to what the ledger moved and charged, whatever came late, for the account and each token', async () => {
    const store = createStatementStore(on.database);
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
        const userId = await givenUser(on.database, on.ledger, START);
        const tokens = [null, await givenToken(on.database, userId), await givenToken(on.database, userId)];
        const owners = [
          { userId, tokenId: 0, tag: '' },
          { userId, tokenId: tokens[1]!, tag: '' },
        ];
        const issued: Statement[][] = [[], []];
        const issue = async (upTo: number) => {
          for (const [at, owner] of owners.entries())
            while (issued[at]!.length <= upTo) {
              const month = MONTHS[issued[at]!.length]!;
              issued[at]!.push(await issueStatement(store, owner, month, END_OF(2)));
            }
        };
        const calls: { month: number; units: number; token: number }[] = [];
        let moved = 0;
        for (const one of steps) {
          if ('issue' in one) await issue(one.issue);
          else if ('model' in one) {
            calls.push(one);
            await call(
              userId,
              tokens[one.token]!,
              one.model,
              one.units,
              Date.UTC(2026, one.month, 31 - 3) + 5,
            );
          } else if ((await move(userId, one.units, Date.UTC(2026, one.month, 9))) === 'moved')
            moved += one.units;
        }
        await issue(2);
        const [account = [], token = []] = issued;
        for (const one of [...account, ...token]) adds(one);
        for (const chain of issued)
          for (const [at, one] of chain.slice(1).entries()) {
            expect(one.opening_units).toBe(chain[at]!.closing_units);
            expect(one.charged_before_units).toBe(chain[at]!.charged_after_units);
          }
        // What came after the last was issued is in none of them yet.
        const row = await on.database.writer
          .selectFrom('users')
          .select(['quota', 'held', 'used_quota'])
          .where('id', '=', userId)
          .executeTakeFirstOrThrow();
        const last = account[2]!;
        const known = await issueStatement(store, { userId, tokenId: 0, tag: '' }, '2026-04', END_OF(3));
        adds(known);
        expect(known.closing_units).toBe(row.quota + row.held);
        expect(known.closing_units).toBe(START + moved - sum(calls));
        expect(known.opening_units).toBe(last.closing_units);
        const ofToken = await issueStatement(store, owners[1]!, '2026-04', END_OF(3));
        expect(ofToken.charged_after_units).toBe(sum(calls.filter((one) => one.token === 1)));
      }),
      { numRuns: 25 },
    );
    expect(await brokenRules(on.database, Date.UTC(2026, 5))).toEqual([]);
  });

  it('are issued once, whoever asks at the same moment, and never change; what is late is named in the next', async () => {
    const again = await on.openAgain();
    const stores = [createStatementStore(on.database), createStatementStore(again)];
    const userId = await givenUser(on.database, on.ledger, START);
    const owner = { userId, tokenId: 0, tag: '' };
    await call(userId, null, 'gpt-5', 70, Date.UTC(2026, 1, 1) - 1);
    await call(userId, null, 'gpt-5', 5, Date.UTC(2026, 1, 1));
    const all = await Promise.all(
      Array.from({ length: 12 }, (_, at) =>
        stores[at % 2]!.issue(owner, '2026-01', { nowMs: END_OF(0) + at, unitsPerDollar: 500_000 }),
      ),
    );
    const [first] = all;
    expect(new Set(all.map((one) => JSON.stringify(one))).size).toBe(1);
    expect(first!.statement.models).toMatchObject([{ model: 'gpt-5', calls: 1, units: 70 }]);
    expect(first!.sha256).toBe(createHash('sha256').update(JSON.stringify(first!.statement)).digest('hex'));
    await call(userId, null, 'claude', 30, Date.UTC(2026, 0, 31, 23, 59));
    expect(await stores[1]!.issue(owner, '2026-01', { nowMs: END_OF(4), unitsPerDollar: 500_000 })).toEqual(
      first,
    );
    const next = await issueStatement(stores[0]!, owner, '2026-02', END_OF(1));
    expect(next.late).toMatchObject([{ model: 'claude', calls: 1, units: 30 }]);
    expect(next).toMatchObject({
      opening_units: START - 70,
      charged_units: 5,
      late_units: 30,
      closing_units: START - 105,
    });
    await again.close();
  });

  it('is of one moment while calls are being charged: no unit is counted twice or lost', async () => {
    const store = createStatementStore(on.database);
    const userId = await givenUser(on.database, on.ledger, START);
    const owner = { userId, tokenId: 0, tag: '' };
    const calls = Array.from({ length: 80 }, (_, at) =>
      call(userId, null, 'gpt-5', 10 + at, Date.UTC(2026, 0, 5)),
    );
    const issueAll = async (): Promise<Statement[]> => {
      const issued: Statement[] = [];
      for (let at = 0; at < 6; at += 1) {
        await calls[at * 8];
        issued.push(await issueStatement(store, owner, monthAfter('2026-01', at), END_OF(at)));
      }
      return issued;
    };
    const [months, same] = await Promise.all([issueAll(), issueAll()]);
    expect(months).toEqual(same);
    await Promise.all(calls);
    const last = await issueStatement(store, owner, '2026-07', END_OF(6));
    for (const one of [...months, last]) adds(one);
    for (const [at, one] of [...months.slice(1), last].entries())
      expect(one.opening_units).toBe(months[at]!.closing_units);
    const total = Array.from({ length: 80 }, (_, at) => 10 + at).reduce((sum, units) => sum + units, 0);
    expect(last.closing_units).toBe(START - total);
  });
});
