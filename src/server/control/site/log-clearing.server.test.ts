import { afterAll, beforeAll, expect, it } from 'vitest';
import { logType, role } from '#contract/codes.ts';
import { readConfig } from '../../config.ts';
import { type RunningServer, startServer } from '../../main.ts';
import { brokenRules } from '../../store/testing/broken-rules.ts';
import type { Caller } from '../../http/testing/caller.ts';
import { setStage } from '../../http/testing/stage.ts';
import { keptLog, temporaryFolder, testEnvironment } from '../../http/testing/test-config.ts';

const folder = temporaryFolder();
let server: RunningServer;
let admin: Caller;

beforeAll(async () => {
  server = await startServer(readConfig(testEnvironment(folder.path)), { log: keptLog() });
  const stage = await setStage(server);
  admin = stage.caller(await stage.session(await stage.person('root', role.root)));
  for (let at = 0; at < 1203; at += 1) {
    await server.parts.stores.logs.append({
      createdAtMs: at * 1000,
      type: logType.system,
      userId: 1,
      username: 'root',
      content: `event ${at}`,
    });
  }
});
afterAll(async () => {
  await server.stop();
  folder.remove();
});

const clear = (query: string, language = 'en') =>
  admin(`/api/log/${query}`, { method: 'DELETE', headers: { 'Accept-Language': language } });

it('needs a time, and says so as the specification asks', async () => {
  const got = await clear('', 'zh');
  expect([got.status, got.message]).toEqual([400, '请选择日志清除时间']);
  expect((await clear('?target_timestamp=x')).status).toBe(400);
});

it('deletes nothing up to a time that is no date: that it was done could not be written down', async () => {
  expect((await clear('?target_timestamp=9007199254740991')).status).toBe(400);
  expect(((await admin('/api/log?type=4')).data as { total: number }).total).toBe(1203);
});

it('answers how many rows were older, whatever number of rounds it takes', async () => {
  expect((await clear('?target_timestamp=1200')).data).toBe(1200);
  await expect
    .poll(async () => (await admin('/api/log/clearing')).data)
    .toEqual({ is_running: false, deleted: 1200, total: 1200 });
  const left = (await admin('/api/log?type=4')).data as { items: { content: string }[] };
  expect(left.items.map(({ content }) => content)).toEqual(['event 1202', 'event 1201', 'event 1200']);
  // That it was done is itself written down.
  expect((await admin('/api/log?type=3')).text).toContain('cleared 1200 log rows');
  expect(await brokenRules(server.parts.stores.database)).toEqual([]);
});

it('answers 0 where nothing is older, and does one clearing at a time', async () => {
  const [one, other] = await Promise.all([clear('?target_timestamp=5'), clear('?target_timestamp=5', 'zh')]);
  expect([one.data, other.success, other.message]).toEqual([0, false, '日志清理正在进行，请稍候']);
});
