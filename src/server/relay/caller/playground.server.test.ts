import { afterAll, beforeAll, expect, it } from 'vitest';
import { role } from '#contract/codes.ts';
import { type RunningSimulator, startSimulator } from '../../../simulator/start.ts';
import { readConfig } from '../../config.ts';
import { type RunningServer, startServer } from '../../main.ts';
import type { Caller } from '../../http/testing/caller.ts';
import { type SmallUpstream, startSmallUpstream } from '../../http/testing/small-upstream.ts';
import { type Stage, setStage } from '../../http/testing/stage.ts';
import { keptLog, temporaryFolder, testEnvironment } from '../../http/testing/test-config.ts';

/** Calls of the playground, in every format: at the cost of who is signed in, in a group that is open to them. */

const MODEL = 'gpt-4o-mini';
const folder = temporaryFolder();
let simulator: RunningSimulator;
let upstream: SmallUpstream;
let server: RunningServer;
let stage: Stage;
let alice: Caller;
let key: string;
let quota: () => Promise<number>;

beforeAll(async () => {
  simulator = await startSimulator();
  upstream = await startSmallUpstream();
  server = await startServer(readConfig(testEnvironment(folder.path)), { log: keptLog() });
  stage = await setStage(server);
  const rootUser = await stage.person('root', role.root);
  const root = stage.caller(await stage.session(rootUser));
  const user = await stage.person('alice');
  await server.parts.stores.ledger.move({
    kind: 'grant',
    ref: 'start',
    userId: user.id,
    deltaUnits: 10_000_000,
    reason: '',
    actorId: 0,
    nowMs: 1,
  });
  alice = stage.caller(await stage.session(user));
  ({ key } = await stage.token(user));
  quota = async () => (await server.parts.stores.users.byId(user.id))?.quotaUnits ?? 0;
  await stage.channel(rootUser, { baseUrl: simulator.url, models: MODEL, groups: 'default,svip' });
  await stage.channel(rootUser, { baseUrl: upstream.url, models: 'gpt-small', groups: 'default' });
  await root('/api/option', {
    method: 'PUT',
    body: { key: 'ModelRatio', value: `{"${MODEL}":10,"gpt-small":1}` },
  });
});
afterAll(async () => {
  await server.stop();
  await simulator.stop();
  await upstream.close();
  folder.remove();
});

const messages = [{ role: 'user', content: 'Plan a trip' }];
const formats = [
  ['/pg/chat/completions', { model: MODEL, stream: true, messages }, 'data: [DONE]'],
  ['/pg/responses', { model: MODEL, stream: true, input: 'Plan a trip' }, 'response.completed'],
  ['/pg/messages', { model: MODEL, stream: true, max_tokens: 900, messages }, 'message_stop'],
  [
    `/pg/models/${MODEL}:streamGenerateContent?alt=sse`,
    { contents: [{ role: 'user', parts: [{ text: 'Plan a trip' }] }] },
    'finishReason',
  ],
] as const;

it.each(formats)('%s streams to its end, and is charged to the signed-in user', async (path, body, end) => {
  const before = await quota();
  for (const group of ['default', '']) {
    const got = await alice(path, { method: 'POST', body: { ...body, group } });
    expect([got.status, got.text]).toEqual([200, expect.stringContaining(end)]);
    expect(got.text).toContain(' weekend');
  }
  await expect.poll(quota).toBeLessThan(before);
});

const zeros = [
  ['/pg/chat/completions', { model: 'gpt-small', max_tokens: 0, temperature: 0, messages }],
  ['/pg/chat/completions', { model: 'gpt-small', max_completion_tokens: 0, messages }],
  ['/pg/responses', { model: 'gpt-small', max_output_tokens: 0, temperature: 0, input: 'Plan a trip' }],
  ['/pg/messages', { model: 'gpt-small', temperature: 0, max_tokens: 900, messages }],
  [
    '/pg/models/gpt-small:generateContent',
    {
      contents: [{ role: 'user', parts: [{ text: 'Plan a trip' }] }],
      generationConfig: { maxOutputTokens: 0, temperature: 0, topP: 0.5 },
    },
  ],
] as const;

it.each(zeros)('%s sends no bound and no temperature of 0', async (path, body) => {
  const got = await alice(path, { method: 'POST', body: body });
  expect([got.status, got.text]).toEqual([200, expect.anything()]);
  const sent = JSON.parse(upstream.requests.at(-1)?.body ?? '{}') as object;
  expect(sent).not.toHaveProperty('temperature');
  expect(Object.entries(sent).filter(([, value]) => value === 0)).toEqual([]);
});

it.each([
  ['/v1/chat/completions', { model: 'gpt-small', temperature: 0, messages }],
  ['/v1/responses', { model: 'gpt-small', temperature: 0, input: 'Plan a trip' }],
  ['/v1/messages', { model: 'gpt-small', temperature: 0, max_tokens: 900, messages }],
  [
    '/v1beta/models/gpt-small:generateContent',
    { contents: [{ role: 'user', parts: [{ text: 'Plan a trip' }] }], generationConfig: { temperature: 0 } },
  ],
])('a program that asks for a temperature of 0 at %s has it', async (path, body) => {
  const program = stage.caller({ authorization: `Bearer sk-${key}` });
  expect((await program(path, { method: 'POST', body })).status).toBe(200);
  expect(JSON.parse(upstream.requests.at(-1)?.body ?? '{}')).toMatchObject({ temperature: 0 });
});

it.each(formats)("%s writes refusals in the reader's language", async (path, body) => {
  const ask = (more: object) =>
    alice(path, {
      method: 'POST',
      body: { ...body, ...more },
      headers: { 'Accept-Language': 'zh-CN' },
    });
  expect((await ask({ group: 'svip' })).text).toContain('分组 svip 未对你开放');
  const nobody = await stage.caller({})(path, { method: 'POST', body, headers: { 'Accept-Language': 'zh' } });
  expect(nobody.text).toContain('未登录或登录已过期，请重新登录');
});

it('says in Chinese, too, how much quota is missing and where to top up', async () => {
  const poor = stage.caller(await stage.session(await stage.person('poor')));
  const got = await poor('/pg/chat/completions', {
    method: 'POST',
    body: { model: MODEL, messages, max_tokens: 1000 },
    headers: { 'Accept-Language': 'zh' },
  });
  expect(got.status).toBe(403);
  expect(got.text).toMatch(/用户额度不足：本次调用至少预扣 \$[\d.]+，账户余额为 \$0/);
  const missing = await poor('/pg/chat/completions', {
    method: 'POST',
    body: { model: 'no-such-model', messages },
    headers: { 'Accept-Language': 'zh' },
  });
  expect(missing.text).toContain('分组 default 下没有模型 no-such-model，或未对你开放');
});

it.each(formats)('%s is refused in a group that is not open, and without a session', async (path, body) => {
  const before = await quota();
  const closed = await alice(path, { method: 'POST', body: { ...body, group: 'svip' } });
  expect([closed.status, closed.text]).toEqual([
    403,
    expect.stringContaining('group svip is not open to you'),
  ]);
  const nobody = await stage.caller({})(path, { method: 'POST', body });
  expect([nobody.status, nobody.text]).toEqual([401, expect.stringContaining('not logged in or expired')]);
  expect(await quota()).toBe(before);
});
