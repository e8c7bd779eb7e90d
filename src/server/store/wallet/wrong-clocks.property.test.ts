import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Statement } from '#contract/api/wallet/statements.ts';
import { AppError } from '#core/error.ts';
import { statementsInOrder, unprovenLate } from '#core/seal/statements-in-order.ts';
import { monthAfter, monthOf } from '#core/wallet/statement.ts';
import { brokenRules } from '../testing/broken-rules.ts';
import { givenCall, givenUser } from '../testing/accounts.ts';
import { openSealNode } from '../testing/seal-node.ts';
import { onEachEngine } from '../testing/on-each-engine.ts';

/**
 * Two nodes whose clocks are set to anything, about midnights and ends of months above all, while calls and movements go on:
 * each row is under one seal, a statement that was issued never changes, and whoever checks the files finds them proven.
 */

const START = 10_000_000;
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const MONTH_END_MS = Date.UTC(2026, 10, 1);
/** Around the end of October: the last and the first moment, seals and statements that are due, days and months off. */
const OFFSETS = [
  -35 * DAY_MS,
  -DAY_MS,
  -20 * MINUTE_MS,
  -1,
  0,
  1,
  14 * MINUTE_MS,
  16 * MINUTE_MS,
  59 * MINUTE_MS,
  61 * MINUTE_MS,
  DAY_MS - 1,
  DAY_MS,
  DAY_MS + 16 * MINUTE_MS,
  33 * DAY_MS,
  400 * DAY_MS,
];
const node = fc.nat(1);
const offset = fc.constantFrom(...OFFSETS);

const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant('set' as const), node, offset }) },
  {
    weight: 5,
    arbitrary: fc.record({ do: fc.constant('call' as const), node, units: fc.integer({ min: 1, max: 900 }) }),
  },
  /** A stream that began when the clock showed this, and is charged now. */
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('late' as const),
      offset,
      units: fc.integer({ min: 1, max: 900 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('move' as const),
      node,
      units: fc.integer({ min: -50, max: 90 }),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('seal' as const), node }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('ask' as const), node, months: fc.integer({ min: -2, max: 0 }) }),
  },
);

onEachEngine('with wrong clocks', (on) => {
  it('each row is under one seal, and what was issued stays and is proven', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 30 }), async (steps) => {
        const userId = await givenUser(on.database, on.ledger, START);
        const nodes = await Promise.all([0, 1].map(() => openSealNode(on.database, MONTH_END_MS - DAY_MS)));
        const clocks = [MONTH_END_MS - DAY_MS, MONTH_END_MS - DAY_MS];
        const issued = new Map<string, string>();
        let charged = 0;
        let calls = 0;
        const call = async (createdAtMs: number, units: number): Promise<void> => {
          await givenCall(on.ledger, units, { requestId: randomUUID(), userId, createdAtMs });
          charged += units;
          calls += 1;
        };
        const ask = async (which: number, month: string): Promise<void> => {
          const file = await nodes[which]!.check(userId, month).catch((thrown: unknown) => {
            if (thrown instanceof AppError) return undefined;
            throw thrown;
          });
          if (file === undefined) return;
          const statement = JSON.stringify(file.statement);
          expect(issued.get(month) ?? statement).toBe(statement);
          issued.set(month, statement);
        };
        for (const one of steps) {
          if (one.do === 'set') {
            clocks[one.node] = MONTH_END_MS + one.offset;
            nodes[one.node]!.setTime(MONTH_END_MS + one.offset);
          } else if (one.do === 'call') await call(clocks[one.node]!, one.units);
          else if (one.do === 'late') await call(MONTH_END_MS + one.offset, one.units);
          else if (one.do === 'move')
            await on.ledger.move({
              kind: 'admin',
              ref: randomUUID(),
              userId,
              deltaUnits: one.units,
              reason: '',
              actorId: 1,
              nowMs: clocks[one.node]!,
            });
          else if (one.do === 'seal') await nodes[one.node]!.seals.sealDue();
          else await ask(one.node, monthAfter(monthOf(clocks[one.node]!), one.months));
        }
        // Two years later all clocks are right.
        const LAST_MS = Date.UTC(2028, 10, 2);
        const judge = nodes[0]!;
        judge.setTime(LAST_MS);
        await judge.seals.sealNow();
        const checked: Awaited<ReturnType<typeof judge.check>>[] = [];
        for (let month = '2026-09'; month <= '2028-10'; month = monthAfter(month)) {
          const file = await judge.check(userId, month).catch(() => undefined);
          if (file === undefined) continue;
          expect({ month, problems: file.problems, verdict: file.verdict }).toEqual({
            month,
            problems: [],
            verdict: 'proven',
          });
          expect(issued.get(month) ?? JSON.stringify(file.statement)).toBe(JSON.stringify(file.statement));
          checked.push(file);
        }
        const statements = checked.map(({ statement }) => statement as Statement);
        expect(statementsInOrder(statements).problems).toEqual([]);
        expect(
          unprovenLate(checked.map(({ statement, late }) => ({ statement: statement as Statement, late }))),
        ).toEqual([]);
        // Each call is a receipt of one month, once.
        expect(checked.reduce((sum, one) => sum + one.calls, 0)).toBe(calls);
        expect(statements.at(-1)?.charged_after_units).toBe(charged);
      }),
      { numRuns: 8 },
    );
    expect(await brokenRules(on.database, Date.UTC(2028, 11))).toEqual([]);
  });
});
