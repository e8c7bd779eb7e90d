import { afterAll, beforeAll, expect, it } from 'vitest';
import { EPAY_NOTIFY_PATH } from '#contract/limits.ts';
import { noticeOf } from '../../../simulator/payment/notice.ts';
import { readConfig } from '../../config.ts';
import { type Caller, createCaller } from '../../http/testing/caller.ts';
import { openScene, type Scene } from '../../http/testing/scene.ts';
import { keptLog, temporaryFolder, testEnvironment } from '../../http/testing/test-config.ts';
import { type RunningServer, startServer } from '../../main.ts';
import { brokenRules } from '../../store/testing/broken-rules.ts';
import { startPostgres } from '../../store/testing/postgres-server.ts';

/** Money comes in once, whatever two nodes are asked at the same moment. */

const KEY = 'a merchant key';
const TIMES = 40;

const folder = temporaryFolder();
let postgres: Awaited<ReturnType<typeof startPostgres>>;
let scene: Scene;
let there: RunningServer;
let nodes: readonly [string, string];

beforeAll(async () => {
  postgres = await startPostgres();
  const shared = {
    DATABASE_URL: postgres.url,
    TOLLGATE_MASTER_KEY: 'a master key of more than 32 characters',
  };
  scene = await openScene(shared);
  const { server } = scene;
  const { options, vault } = server.parts.stores;
  const settings = {
    PayAddress: 'https://pay.example',
    EpayId: '1000',
    EpayKey: vault.encrypt(KEY, 'option:EpayKey'),
    ServerAddress: server.url,
  };
  for (const [name, value] of Object.entries(settings)) await options.set(name, value, Date.now());
  await server.parts.refreshRouting();
  const config = readConfig({ ...testEnvironment(folder.path), ...shared });
  there = await startServer(config, { log: keptLog() });
  nodes = [server.url, there.url];
});
afterAll(async () => {
  const broken = await brokenRules(scene.server.parts.stores.database);
  await there.stop();
  await scene.close();
  await postgres.stop();
  folder.remove();
  expect(broken).toEqual([]);
});

/** The same at both nodes, as often as that, at once. */
const everywhere = <Value>(ask: (url: string) => Promise<Value>): Promise<Value[]> =>
  Promise.all(Array.from({ length: TIMES }, (_, at) => ask(nodes[at % 2 === 0 ? 0 : 1])));

let people = 0;
const somebody = async () => {
  const { stage, server } = scene;
  const user = await stage.person(`payer${(people += 1)}`);
  const headers = await stage.session(user);
  const at = (url: string): Caller => createCaller(url, headers);
  const quota = async () => (await server.parts.stores.users.byId(user.id))?.quotaUnits;
  const history = async () =>
    (await server.parts.stores.journal.list(user.id, { page: 1, pageSize: 100 })).items.map(
      ({ kind }) => kind,
    );
  return { user, at, quota, history };
};

const ordered = async (call: Caller): Promise<Record<string, string>> => {
  const body = { amount: 2, payment_method: 'alipay', top_up_code: '' };
  return (await call('/api/user/pay', { method: 'POST', body })).data as Record<string, string>;
};
const told = async (url: string, fields: Record<string, string>): Promise<string> => {
  const query = new URLSearchParams(noticeOf(fields, 'gateway-1', KEY, {}));
  return (await fetch(`${url}${EPAY_NOTIFY_PATH}?${query.toString()}`)).text();
};

it('an order whose payment both nodes are told of is credited once, and each hears success', async () => {
  const { at, quota, history } = await somebody();
  const fields = await ordered(at(nodes[0]));
  expect(new Set(await everywhere((url) => told(url, fields)))).toEqual(new Set(['success']));
  expect(await quota()).toBe(1_000_000);
  expect(await history()).toEqual(['topup']);
});

it('a code is redeemed by one of those who try at both nodes at once', async () => {
  const tries = await Promise.all(Array.from({ length: 8 }, somebody));
  const code = await scene.stage.code(scene.root, 77);
  await Promise.all(
    tries.flatMap(({ at }) =>
      nodes.map((url) => at(url)('/api/user/topup', { method: 'POST', body: { key: code } })),
    ),
  );
  const quotas = await Promise.all(tries.map(({ quota }) => quota()));
  expect(quotas.filter((quota) => quota !== 0)).toEqual([77]);
});

it('invite earnings become quota once', async () => {
  const { user, at, quota } = await somebody();
  const { ledger, users } = scene.server.parts.stores;
  const invite = { kind: 'invite', ref: 'earned', deltaUnits: 0, reason: '', actorId: 0, nowMs: 1 } as const;
  await ledger.move({ ...invite, userId: user.id, earnedUnits: 1_200_000 });
  await everywhere((url) => at(url)('/api/user/aff_transfer', { method: 'POST', body: { quota: 500_000 } }));
  expect(await quota()).toBe(1_000_000);
  expect((await users.byId(user.id))?.affQuotaUnits).toBe(200_000);
});

it('a payment that comes while its account is deleted is credited once, or the gateway tells it again', async () => {
  const { user, at, history } = await somebody();
  const fields = await ordered(at(nodes[0]));
  const removed = scene.asRoot(`/api/user/${user.id}`, { method: 'DELETE' });
  const answers = await everywhere((url) => told(url, fields));
  expect((await removed).success).toBe(true);
  const kinds = await history();
  expect(kinds).toEqual(answers.includes('success') ? ['topup'] : []);
  expect(await told(nodes[1], fields)).toBe(kinds.length > 0 ? 'success' : 'fail');
});
