import { expect, it } from 'vitest';
import type { OpOutcome } from '#core/ledger/apply-ops.ts';
import type { LedgerOp } from '#core/ledger/book.ts';
import { groupCommit } from './group-commit.ts';

const op = (id: string): LedgerOp => ({ op: 'void', id, nowMs: 1, log: undefined });

/** Batches that are answered when the test says so. */
const stage = () => {
  const batches: string[][] = [];
  let answer = Promise.withResolvers<readonly OpOutcome[]>();
  const group = groupCommit((ops) => {
    batches.push(ops.map((each) => ('id' in each ? each.id : '')));
    return answer.promise;
  });
  const add = (id: string): Promise<string> =>
    group.add(op(id)).then(
      (outcome) => `${id}: ${JSON.stringify(outcome)}`,
      (error: { code: string }) => error.code,
    );
  return {
    batches,
    add,
    idle: group.idle,
    commit: (outcomes: readonly OpOutcome[]) => {
      const { resolve } = answer;
      answer = Promise.withResolvers();
      resolve(outcomes);
    },
    fail: () => answer.reject(new Error('away')),
  };
};

it('what comes while a batch is on its way goes together in the next, and each is told its own outcome', async () => {
  const { batches, add, commit } = stage();
  const first = add('a');
  await Promise.resolve();
  const second = [add('b'), add('c')];
  commit(['held']);
  expect(await first).toBe('a: "held"');
  commit(['duplicate', 'user_refused']);
  expect(await Promise.all(second)).toEqual(['b: "duplicate"', 'c: "user_refused"']);
  expect(batches).toEqual([['a'], ['b', 'c']]);
});

it('while the database is away everybody is told so at once, not one batch after the other', async () => {
  const { batches, add, fail, idle } = stage();
  const told = [add('first'), add('second')];
  await Promise.resolve();
  for (let at = 0; at < 2000; at += 1) told.push(add(`call ${at}`));
  fail();
  expect(new Set(await Promise.all(told))).toEqual(new Set(['unavailable']));
  expect(batches).toEqual([['first', 'second']]);
  await idle();
});
