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

it('operations that arrive during a batch share the next one, and each gets its own outcome', async () => {
  const { batches, add, commit } = stage();
  const first = add('a');
  await expect.poll(() => batches).toEqual([['a']]);
  const second = [add('b'), add('c')];
  commit(['held']);
  expect(await first).toBe('a: "held"');
  await expect.poll(() => batches).toEqual([['a'], ['b', 'c']]);
  commit(['duplicate', 'user_refused']);
  expect(await Promise.all(second)).toEqual(['b: "duplicate"', 'c: "user_refused"']);
});

it('operations within two turns of the event loop share a batch; sixteen are sent at once', async () => {
  const { batches, add, commit } = stage();
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  const few = [add('a')];
  await turn();
  few.push(add('b'));
  await expect.poll(() => batches).toEqual([['a', 'b']]);
  commit(['held', 'held']);
  await Promise.all(few);
  const many = Array.from({ length: 16 }, (_, at) => add(String(at)));
  await turn();
  many.push(add('late'));
  expect(batches[1]).toHaveLength(16);
  commit(Array.from({ length: 16 }, () => 'held'));
  await expect.poll(() => batches[2]).toEqual(['late']);
  commit(['held']);
  expect(await Promise.all(many)).toHaveLength(17);
});

it('while the database is away all waiting operations fail at once, not batch after batch', async () => {
  const { batches, add, fail, idle } = stage();
  const told = [add('first'), add('second')];
  await expect.poll(() => batches).toEqual([['first', 'second']]);
  for (let at = 0; at < 2000; at += 1) told.push(add(`call ${at}`));
  fail();
  expect(new Set(await Promise.all(told))).toEqual(new Set(['unavailable']));
  expect(batches).toEqual([['first', 'second']]);
  await idle();
});
