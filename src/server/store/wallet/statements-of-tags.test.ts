import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Statement } from '#contract/api/wallet/statements.ts';
import { createTokenStore } from '../people/token-store.ts';
import { givenCall, givenToken, givenUser } from '../testing/accounts.ts';
import { createStatementStore } from './statement-store.ts';
import { onEachEngine } from '../testing/on-each-engine.ts';
import { issueStatement } from '../testing/issue-statement.ts';

const START = 1_000_000;
const MONTHS = ['2026-01', '2026-02', '2026-03', '2026-04'] as const;
const LAST = MONTHS.length - 1;
const TAGS = ['', 'a', 'b'] as const;
const inMonth = (at: number): number => Date.UTC(2026, at, 15, 12);
const AFTER_ALL_MS = Date.UTC(2026, 4, 1, 2);

const sum = (lines: readonly { readonly units: number }[]): number =>
  lines.reduce((total, { units }) => total + units, 0);

const step = fc.oneof(
  fc.record({ token: fc.nat(2), units: fc.nat(900), monthsAgo: fc.nat(2) }),
  fc.record({ token: fc.nat(2), tag: fc.constantFrom(...TAGS) }),
  // The next month begins, and statements of those before are asked for.
  fc.record({ issue: fc.boolean() }),
);

onEachEngine('statements of tags', (on) => {
  const call = (userId: number, tokenId: number, units: number, createdAtMs: number): Promise<void> =>
    givenCall(on.ledger, units, { requestId: randomUUID(), userId, tokenId, createdAtMs });

  it('count each call once, for the tag its token had when its month ended, whenever tags change', async () => {
    const store = createStatementStore(on.database);
    const tokenStore = createTokenStore(on.database);
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
        const userId = await givenUser(on.database, on.ledger, START);
        const tokens = [0, 1, 2].map(() => givenToken(on.database, userId));
        const ids = await Promise.all(tokens);
        const calls: { month: number; units: number; token: number }[] = [];
        /** The tag of each token at the end of each month so far. */
        const tagged = [0, 1, 2].map((): string[] => ['']);
        const issued = new Map<string, Statement[]>([
          ['a', []],
          ['b', []],
        ]);
        let now = 0;
        const issue = async (upTo: number): Promise<void> => {
          for (const [tag, chain] of issued)
            for (let at = chain.length; at <= upTo; at += 1)
              chain.push(await issueStatement(store, { userId, tokenId: 0, tag }, MONTHS[at]!, AFTER_ALL_MS));
        };
        const goOn = async (): Promise<void> => {
          now += 1;
          for (const tags of tagged) tags.push(tags.at(-1)!);
        };
        for (const one of steps) {
          if ('units' in one) {
            const month = Math.max(0, now - one.monthsAgo);
            calls.push({ month, units: one.units, token: one.token });
            await call(userId, ids[one.token]!, one.units, inMonth(month));
          } else if ('tag' in one) {
            tagged[one.token]![now] = one.tag;
            await tokenStore.update(userId, ids[one.token]!, { tag: one.tag }, inMonth(now));
          } else if (now < LAST) {
            await goOn();
            if (one.issue) await issue(now - 1);
          }
        }
        while (now < LAST) await goOn();
        await issue(LAST);
        const tagOf = (token: number, month: number) => tagged[token]![month];
        for (const [tag, chain] of issued) {
          const ofTag = calls.filter(({ token, month }) => tagOf(token, month) === tag);
          expect(chain.at(-1)!.charged_after_units).toBe(sum(ofTag));
          for (const [at, one] of chain.entries()) {
            expect(one).toMatchObject({ tag, name: tag, token_id: 0, opening_units: null, movements: [] });
            expect(sum(one.models)).toBe(one.charged_units);
            expect(sum(one.tokens)).toBe(one.charged_units);
            expect(one.charged_before_units + one.charged_units + one.late_units).toBe(
              one.charged_after_units,
            );
            const before = at === 0 ? one.charged_before_units : chain[at - 1]!.charged_after_units;
            expect(one.charged_before_units).toBe(before);
          }
        }
        for (const [at, month] of MONTHS.entries()) {
          const { lines, totalUnits } = await store.sums({ userId, by: 'tag', month, most: 10 });
          const ofMonth = calls.filter((one) => one.month === at);
          for (const tag of TAGS) {
            const wanted = sum(ofMonth.filter(({ token }) => tagOf(token, at) === tag));
            expect(sum(lines.filter(({ name }) => name === tag))).toBe(wanted);
          }
          expect(totalUnits).toBe(sum(ofMonth));
          const byToken = await store.sums({ userId, by: 'token', month, most: 1 });
          expect(byToken.totalUnits).toBe(totalUnits);
          expect(byToken.lines.length).toBeLessThanOrEqual(1);
        }
      }),
      { numRuns: 25 },
    );
  });

  it('a clock that was put back gives no token two tags for one month', async () => {
    const userId = await givenUser(on.database, on.ledger, START);
    const id = await givenToken(on.database, userId);
    const tokenStore = createTokenStore(on.database);
    await tokenStore.update(userId, id, { tag: 'a' }, inMonth(0));
    await tokenStore.update(userId, id, { tag: 'b' }, inMonth(2));
    await tokenStore.update(userId, id, { tag: 'c' }, inMonth(1));
    await tokenStore.update(userId, id, { tag: '' }, inMonth(1));
    await tokenStore.update(userId, id, { tag: 'd' }, inMonth(0));
    for (const month of [0, 1, 2, 3]) await call(userId, id, 10 ** month, inMonth(month));
    const store = createStatementStore(on.database);
    const sums = await Promise.all(
      MONTHS.map(async (month) => (await store.sums({ userId, by: 'tag', month, most: 9 })).lines),
    );
    expect(sums.map((lines) => lines.map(({ name, units }) => [name, units]))).toEqual([
      [['a', 1]],
      [['a', 10]],
      [['d', 100]],
      [['d', 1000]],
    ]);
  });
});
