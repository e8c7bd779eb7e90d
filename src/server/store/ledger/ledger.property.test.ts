import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { logType, tokenStatus, userStatus } from '#contract/codes.ts';
import { brokenRules } from '../testing/broken-rules.ts';
import type { Database } from '../database/database.ts';
import { createLedger } from './ledger.ts';
import { takeLease } from './node-lease.ts';
import { callLog, givenChannel, givenToken, givenUser } from '../testing/accounts.ts';
import { engines, type TestDatabase } from '../testing/engines.ts';
import { claimOf, givenCode, givenOrder } from '../testing/vouchers.ts';
import { createModel, type LedgerModel } from '../testing/ledger-model.ts';
import { createTokenStore } from '../people/token-store.ts';
import { createUserStore } from '../people/user-store.ts';

const BALANCES = [1000, 50, 0];
const TOKEN_LIMITS = [300, null, 20, null];
/** What the one code and the one order of a run are worth, and whose the order is. */
const CODE_UNITS = 70;
const ORDER_UNITS = 90;
const ORDER_OWNER = 1;

const user = fc.nat({ max: BALANCES.length - 1 });
const token = fc.option(fc.nat({ max: TOKEN_LIMITS.length - 1 }), { freq: 3 });
const amount = fc.oneof(fc.nat({ max: 120 }), fc.constant(0));
/** Few ids, so that the same one is met again. */
const id = fc.nat({ max: 9 });

const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('hold' as const),
      id,
      user,
      token,
      amount,
      least: fc.option(fc.nat({ max: 120 }), { nil: undefined, freq: 2 }),
      most: fc.nat({ max: 400 }),
      takesMost: fc.boolean(),
      lives: fc.nat({ max: 50 }),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('grow' as const),
      id,
      total: fc.nat({ max: 500 }),
      least: fc.nat({ max: 500 }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('settle' as const), id, amount, logged: fc.boolean() }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('void' as const), id, logged: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('checkpoint' as const), id, amount }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('move' as const),
      id,
      user,
      delta: fc.integer({ min: -200, max: 200 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('claim' as const),
      voucher: fc.constantFrom('code' as const, 'order' as const),
      user,
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('resolve' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('set' as const), user, amount }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('limit' as const), token: fc.nat({ max: 3 }), amount }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('switch' as const),
      user,
      token: fc.nat({ max: 3 }),
      on: fc.boolean(),
    }),
  },
);
/** Steps of one group are asked for in the same tick and share a transaction. */
const groups = fc.array(fc.array(step, { minLength: 1, maxLength: 12 }), { minLength: 1, maxLength: 8 });
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

/** One run: its own users and tokens, the real ledger and the model side by side. */
const startRun = async (database: Database, run: string, channelId: number) => {
  const ledger = createLedger(database);
  const userIds: number[] = [];
  for (const balance of BALANCES) userIds.push(await givenUser(database, ledger, balance));
  const tokenIds: number[] = [];
  for (const [at, limit] of TOKEN_LIMITS.entries()) {
    tokenIds.push(await givenToken(database, userIds[at % BALANCES.length] as number, limit ?? undefined));
  }
  const vouchers = {
    code: await givenCode(database, { quotaUnits: CODE_UNITS }),
    order: await givenOrder(database, userIds[ORDER_OWNER] as number, ORDER_UNITS),
  };
  const model = createModel(BALANCES, TOKEN_LIMITS);
  const holders = new Map<string, number>();
  return { database, ledger, model, userIds, tokenIds, vouchers, holders, run, channelId, now: 10_000 };
};
type Run = Awaited<ReturnType<typeof startRun>>;

const logOf = ({ userIds, holders, channelId }: Run, requestId: string, type: number) =>
  callLog({ requestId, type, userId: userIds[holders.get(requestId) ?? 0] as number, channelId });

/** How much is short is told by tests of their own. */
const withoutAmounts = <Outcome extends string | { readonly state: string }>(outcome: Outcome) =>
  typeof outcome === 'object' && outcome.state.endsWith('_short') ? outcome.state : outcome;

/** Starts a step on the ledger and does it on the model; what they answer must be the same. */
const startStep = (run: Run, step: Step): [Promise<unknown>, unknown] => {
  const { ledger, model, userIds, tokenIds, holders, now } = run;
  switch (step.do) {
    case 'hold': {
      const key = `${run.run}:${step.id}`;
      const tokenId = step.token === null ? null : (tokenIds[step.token] as number);
      const least = step.least === undefined ? undefined : Math.min(step.least, step.amount);
      const takes = step.takesMost ? step.most : 0;
      const outcome = model.hold(key, step.user, step.token, step.amount, now + step.lives, least, takes);
      const isHeld = typeof outcome === 'object';
      if (isHeld) holders.set(key, step.user);
      const isPlenty = isHeld && outcome.held >= step.amount && outcome.payable >= step.most;
      const expiresAtMs = now + step.lives;
      const userId = userIds[step.user] as number;
      const { takesMost, most: mostUnits } = step;
      const amounts = { quotaUnits: step.amount, leastUnits: least, mostUnits, takesMost };
      return [
        ledger.hold({ id: key, userId, tokenId, ...amounts, nowMs: now, expiresAtMs }).then(withoutAmounts),
        !isHeld
          ? outcome
          : isPlenty
            ? 'held'
            : { state: 'held', quotaUnits: outcome.held, payableUnits: outcome.payable },
      ];
    }
    case 'grow': {
      const key = `${run.run}:${step.id}`;
      const { total, least } = step;
      return [
        ledger.grow({ id: key, quotaUnits: total, leastUnits: least }).then(withoutAmounts),
        model.grow(key, total, least),
      ];
    }
    case 'settle': {
      const key = `${run.run}:${step.id}`;
      const outcome = model.settle(key, step.amount);
      const log = logOf(run, key, logType.consume);
      return [
        ledger.settle({ id: key, quotaUnits: step.amount, nowMs: now, log, writeLog: step.logged }),
        outcome,
      ];
    }
    case 'void': {
      const key = `${run.run}:${step.id}`;
      const log = step.logged ? logOf(run, key, logType.error) : undefined;
      return [ledger.void(key, now, log), model.void(key)];
    }
    case 'move': {
      const ref = `${run.run}:${step.id}`;
      const userId = userIds[step.user] as number;
      const movement = {
        kind: 'admin',
        ref,
        userId,
        deltaUnits: step.delta,
        reason: '',
        actorId: 1,
        nowMs: now,
      } as const;
      return [ledger.move(movement), model.move(ref, step.user, step.delta)];
    }
    case 'claim': {
      const kind = step.voucher === 'code' ? 'redeem' : 'topup';
      const worth = step.voucher === 'code' ? CODE_UNITS : ORDER_UNITS;
      const owner = step.voucher === 'code' ? null : ORDER_OWNER;
      const userId = userIds[step.user] as number;
      return [
        ledger.claim(claimOf(kind, run.vouchers[step.voucher], userId, now)),
        model.claim(step.voucher, owner, step.user, worth),
      ];
    }
    default:
      throw new Error(`${step.do} is not done beside others`);
  }
};

/** Steps that change what the others of their group see, so they are done between groups. */
const doAlone = async (run: Run, step: Step): Promise<void> => {
  const { database, ledger, model, userIds, tokenIds, holders } = run;
  if (step.do === 'checkpoint') {
    // Only a call that was held is ever sent.
    if (!holders.has(`${run.run}:${step.id}`)) return;
    model.checkpoint(`${run.run}:${step.id}`, step.amount);
    await ledger.checkpoint(`${run.run}:${step.id}`, step.amount);
  } else if (step.do === 'resolve') {
    run.now += 20;
    const resolved = await ledger.resolveAbandoned({ createdBeforeMs: 0, expiredAtMs: run.now });
    expect(resolved).toBe(model.resolve(run.now));
  } else if (step.do === 'set') {
    model.set(step.user, step.amount);
    const movement = { kind: 'admin', ref: randomUUID(), deltaUnits: 0, toUnits: step.amount } as const;
    const userId = userIds[step.user] as number;
    expect(await ledger.move({ ...movement, userId, reason: '', actorId: 1, nowMs: run.now })).toBe('moved');
  } else if (step.do === 'limit') {
    const owner = userIds[step.token % BALANCES.length] as number;
    const changes = { remainQuotaUnits: step.amount };
    await createTokenStore(database).update(owner, tokenIds[step.token] as number, changes, 0);
    (model.tokens[step.token] as LedgerModel['tokens'][number]).remain = step.amount;
  } else if (step.do === 'switch') {
    const owner = userIds[step.token % BALANCES.length] as number;
    const tokenState = step.on ? tokenStatus.enabled : tokenStatus.disabled;
    await createTokenStore(database).update(owner, tokenIds[step.token] as number, { status: tokenState }, 0);
    (model.tokens[step.token] as LedgerModel['tokens'][number]).enabled = step.on;
    const userState = { status: step.on ? userStatus.enabled : userStatus.disabled };
    await database.writer
      .updateTable('users')
      .set(userState)
      .where('id', '=', userIds[step.user] as number)
      .execute();
    (model.users[step.user] as LedgerModel['users'][number]).enabled = step.on;
  }
};

const together: ReadonlySet<Step['do']> = new Set(['hold', 'grow', 'settle', 'void', 'move', 'claim']);

const doGroup = async (run: Run, group: readonly Step[]): Promise<void> => {
  const started = group.filter((one) => together.has(one.do)).map((one) => startStep(run, one));
  const outcomes = await Promise.all(started.map(([outcome]) => outcome));
  expect(outcomes).toEqual(started.map(([, expected]) => expected));
  for (const one of group) if (!together.has(one.do)) await doAlone(run, one);
};

/** Leaves nothing open for the next run, then compares every balance. */
const finish = async (run: Run): Promise<void> => {
  const { database, ledger, model, userIds, tokenIds } = run;
  run.now += 1000;
  expect(await ledger.resolveAbandoned({ createdBeforeMs: 0, expiredAtMs: run.now })).toBe(
    model.resolve(run.now),
  );
  await ledger.close();
  for (const [at, expected] of model.users.entries()) {
    const found = await createUserStore(database).byId(userIds[at] as number);
    expect(found).toMatchObject({ quotaUnits: expected.quota, usedQuotaUnits: expected.used });
  }
  for (const [at, expected] of model.tokens.entries()) {
    const found = await createTokenStore(database).byId(
      userIds[expected.owner] as number,
      tokenIds[at] as number,
    );
    expect(found).toMatchObject({ remainQuotaUnits: expected.remain, usedQuotaUnits: expected.used });
  }
};

for (const engine of engines) {
  describe.skipIf(engine.missing !== undefined)(`any interleaving on ${engine.name}`, () => {
    let opened: TestDatabase;
    let channelId: number;
    let runs = 0;
    const violated = async (nowMs: number) => await brokenRules(opened.database, nowMs);
    beforeAll(async () => {
      opened = await engine.create();
      if (opened.database.engine === 'postgres') await takeLease(opened.database, { now: () => 1 });
      channelId = await givenChannel(opened.database);
    });
    afterAll(() => opened.remove());

    it('answers and charges as the model does, and leaves every invariant true', async () => {
      await fc.assert(
        fc.asyncProperty(groups, async (drawn) => {
          const run = await startRun(opened.database, `run-${++runs}`, channelId);
          for (const group of drawn) await doGroup(run, group);
          expect(await violated(run.now)).toEqual([]);
          await finish(run);
          expect(await violated(run.now)).toEqual([]);
        }),
        { numRuns: 25 },
      );
    });
  });
}
