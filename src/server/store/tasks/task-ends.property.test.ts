import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { logType } from '#contract/codes.ts';
import { initialOptions } from '#contract/options.ts';
import { buildRouting } from '#core/channel/testing/build-routing.ts';
import type { Ledger } from '#core/ledger/ledger.ts';
import { taskHoldId } from '#core/task/task.ts';
import { drawing } from '#core/task/testing/drawing.ts';
import { standIn } from '#core/testing/stand-in.ts';
import { brokenRules } from '../testing/broken-rules.ts';
import { createLedger } from '../ledger/ledger.ts';
import { createTokenStore } from '../people/token-store.ts';
import { createTaskStore } from './task-store.ts';
import { givenToken, givenUser } from '../testing/accounts.ts';
import { engines, type TestDatabase } from '../testing/engines.ts';
import { createStatementStore } from '../wallet/statement-store.ts';
import { closeTask, holdTask } from '../../relay/tasks/task-hold.ts';
import type { TaskDeps } from '../../relay/tasks/task-ports.ts';
import { issueStatement } from '../testing/issue-statement.ts';

/** A task whose ends race: told twice, told differently to two nodes, expired, its token or account deleted meanwhile. */

const START = 1000;
const PRICE = 50;
const MADE_MS = Date.UTC(2026, 9, 31, 23);
const ENDED_MS = Date.UTC(2026, 10, 1, 3);
const EXPIRED_MS = Date.UTC(2026, 10, 20);

const deed = fc.constantFrom(
  ...(['made', 'made', 'failed', 'failed', 'expired', 'token', 'account', 'statement'] as const),
);
const moment = fc.record({ deed, node: fc.nat(1), isAlone: fc.boolean() });

for (const engine of engines) {
  describe.skipIf(engine.missing !== undefined)(`the end of a task on ${engine.name}`, () => {
    let opened: TestDatabase;
    const nodes: TaskDeps[] = [];
    const ledgers: (Ledger & { close(): Promise<void> })[] = [];
    beforeAll(async () => {
      opened = await engine.create();
      const routing = buildRouting({
        version: 1,
        priceVersion: 1,
        options: initialOptions,
        catalogue: { find: () => undefined },
        rows: [],
        openKey: () => {
          throw new Error('there is no channel');
        },
      });
      for (const database of [opened.database, await opened.openAgain()]) {
        const ledger = createLedger(database);
        ledgers.push(ledger);
        nodes.push(
          standIn<TaskDeps>({
            ledger,
            tasks: createTaskStore(database),
            routing: () => routing,
            clock: { now: () => ENDED_MS, monotonic: () => 0 },
            availability: standIn<TaskDeps['availability']>({ note: () => undefined }),
            houseCosts: { add: async () => undefined },
            log: { info: () => undefined, warn: () => undefined, error: () => undefined },
          }),
        );
      }
    });
    afterAll(async () => {
      for (const ledger of ledgers) await ledger.close();
      await opened.remove();
    });

    it('moves its money once, and rows, statements and the task say what moved', async () => {
      const { writer } = opened.database;
      const statements = createStatementStore(opened.database);
      await fc.assert(
        fc.asyncProperty(fc.array(moment, { minLength: 1, maxLength: 8 }), async (moments) => {
          const [one, other] = [nodes[0]!, nodes[1]!];
          const userId = await givenUser(opened.database, one.ledger, START);
          const tokenId = await givenToken(opened.database, userId, 800);
          const owner = { userId, tokenId: 0, tag: '' };
          const issue = async (month: string) => await issueStatement(statements, owner, month, EXPIRED_MS);
          const publicId = randomUUID();
          const made = drawing({
            publicId,
            userId,
            tokenId,
            quotaUnits: PRICE,
            createdAtMs: MADE_MS,
            status: 'SUBMITTED',
            pricing: '{}',
          });
          const task = { ...made, id: await one.tasks.create(made) };
          const payer = { user: { id: userId }, token: { id: tokenId } } as Parameters<typeof holdTask>[2];
          await holdTask(one, task, payer, initialOptions);
          const october = await issue('2026-10');

          const running: Promise<unknown>[] = [];
          for (const { deed: what, node, isAlone } of moments) {
            const deps = node === 0 ? one : other;
            const work = async (): Promise<unknown> => {
              if (what === 'made') return closeTask(deps, task, { status: 'SUCCESS', changes: {} });
              if (what === 'failed')
                return closeTask(deps, task, { status: 'FAILURE', changes: { failReason: 'no' } });
              if (what === 'expired')
                return deps.ledger.resolveAbandoned({ createdBeforeMs: 0, expiredAtMs: EXPIRED_MS });
              if (what === 'token')
                return createTokenStore(opened.database).delete(userId, tokenId, ENDED_MS);
              if (what === 'account')
                return writer
                  .updateTable('users')
                  .set({ deleted_at: ENDED_MS })
                  .where('id', '=', userId)
                  .execute();
              return issue('2026-11');
            };
            running.push(work());
            if (isAlone) await Promise.all(running);
          }
          await Promise.all(running);
          // Whatever was missing: in the end it succeeds.
          await closeTask(other, task, { status: 'SUCCESS', changes: {} });

          const hold = await writer
            .selectFrom('holds')
            .selectAll()
            .where('id', '=', taskHoldId(publicId))
            .executeTakeFirstOrThrow();
          const charged = hold.state === 'settled' ? PRICE : 0;
          expect(hold.state).not.toBe('open');
          const user = await writer
            .selectFrom('users')
            .select(['quota', 'held', 'used_quota as used'])
            .where('id', '=', userId)
            .executeTakeFirstOrThrow();
          expect(user).toEqual({ quota: START - charged, held: 0, used: charged });
          const token = await writer
            .selectFrom('tokens')
            .select(['remain_quota as remain', 'held', 'used_quota as used'])
            .where('id', '=', tokenId)
            .executeTakeFirstOrThrow();
          expect(token).toEqual({ remain: 800 - charged, held: 0, used: charged });
          const rows = await writer
            .selectFrom('logs')
            .select(['type', 'quota'])
            .where('request_id', '=', taskHoldId(publicId))
            .execute();
          expect(rows.filter(({ type }) => type === logType.consume)).toEqual(
            charged === 0 ? [] : [{ type: logType.consume, quota: PRICE }],
          );
          expect(rows).toHaveLength(1);
          expect(await one.tasks.byPublicId(publicId)).toMatchObject({
            status: charged === 0 ? 'FAILURE' : 'SUCCESS',
            quotaUnits: charged,
          });
          expect(await issue('2026-10')).toEqual(october);
          const [november, december] = [await issue('2026-11'), await issue('2026-12')];
          expect(november.charged_units + december.late_units).toBe(charged);
          expect(december.closing_units).toBe(START - charged);
        }),
        { numRuns: 40 },
      );
      expect(await brokenRules(opened.database, EXPIRED_MS + 1)).toEqual([]);
    });
  });
}
