import { afterAll, expect, it } from 'vitest';
import { readConfig } from '../../../config.ts';
import { type RunningServer, startServer } from '../../../main.ts';
import { setStage } from '../../../http/testing/stage.ts';
import { keptLog, temporaryFolder, testEnvironment } from '../../../http/testing/test-config.ts';

const folder = temporaryFolder();
afterAll(() => folder.remove());

const start = (): Promise<RunningServer> =>
  startServer(readConfig(testEnvironment(folder.path)), { log: keptLog() });

it('what a dead run held is given back at the next start, also where the clock was put back in between', async () => {
  const first = await start();
  const { id } = await (await setStage(first)).person('ada');
  const { ledger } = first.parts.stores;
  const laterMs = Date.now() + 3_600_000;
  const grant = { kind: 'grant', ref: 'test', reason: 'test', actorId: 0, nowMs: laterMs } as const;
  await ledger.move({ ...grant, userId: id, deltaUnits: 1000 });
  const times = { nowMs: laterMs, expiresAtMs: laterMs + 86_400_000 };
  expect(await ledger.hold({ id: 'lost', userId: id, tokenId: null, quotaUnits: 400, ...times })).toBe(
    'held',
  );
  await first.stop();
  const second = await start();
  const { users, database } = second.parts.stores;
  const open = database.reader.selectFrom('holds').select('id').where('state', '=', 'open');
  expect([(await users.byId(id))?.quotaUnits, await open.execute()]).toEqual([1000, []]);
  await second.stop();
});
