import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { role } from '#contract/codes.ts';
import { readConfig } from '../config.ts';
import { type RunningServer, startServer } from '../main.ts';
import { type RunningSimulator, startSimulator } from '../../simulator/start.ts';
import type { Caller, Got } from './testing/caller.ts';
import { type Stage, setStage } from './testing/stage.ts';
import { keptLog, temporaryFolder, testEnvironment } from './testing/test-config.ts';

/** What every call about tasks goes by: words, limits, paths, seeds, and who is told of a change. */

const folder = temporaryFolder();
const log = keptLog();
const heard: Record<string, unknown>[] = [];
let simulator: RunningSimulator;
let server: RunningServer;
let stage: Stage;
let call: Caller;
let listener: Server;

beforeAll(async () => {
  simulator = await startSimulator();
  listener = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.on('end', () => {
      heard.push(JSON.parse(text) as Record<string, unknown>);
      response.end();
    });
  });
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  server = await startServer(readConfig(testEnvironment(folder.path)), { log });
  stage = await setStage(server);
  const root = await stage.person('root', role.root);
  const alice = await stage.person('alice');
  await stage.channel(root, { type: 2, baseUrl: simulator.url, models: 'mj_imagine,mj_blend', key: 'k' });
  await stage.channel(root, { type: 36, baseUrl: simulator.url, models: 'suno_music,suno_lyrics' });
  await set('ModelPrice', { mj_imagine: 0, mj_blend: 0, suno_music: 0, suno_lyrics: 0 });
  const { key } = await stage.token(alice);
  call = stage.caller({ authorization: `Bearer sk-${key}` });
});
afterAll(async () => {
  await server.stop();
  await simulator.stop();
  listener.close();
  folder.remove();
});
afterEach(async () => {
  for (const name of ['CheckSensitiveEnabled', 'ModelRequestRateLimitEnabled', 'MjNotifyEnabled'])
    await set(name, false);
});

const set = async (name: string, value: unknown): Promise<void> => {
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  await server.parts.stores.options.set(name, text, Date.now());
  await server.parts.refreshRouting();
};
const post = (path: string, body: object): Promise<Got> => call(path, { method: 'POST', body });
const bodyOf = ({ text }: Got) => JSON.parse(text) as Record<string, unknown>;
const imagine = (prompt: string, more: object = {}) => post('/mj/submit/imagine', { prompt, ...more });
const tasks = async (): Promise<number> =>
  (await server.parts.stores.tasks.page({ platform: 'mj' }, { page: 1, pageSize: 1 })).total +
  (await server.parts.stores.tasks.page({ platform: 'other' }, { page: 1, pageSize: 1 })).total;

describe('a sensitive word', () => {
  it.each([
    ['/mj/submit/imagine', { prompt: 'a Secretword in a forest' }],
    ['/suno/submit/music', { gpt_description_prompt: 'about secretword' }],
    ['/suno/submit/music', { prompt: 'la la', title: 'Secretword' }],
    ['/suno/submit/lyrics', { prompt: 'secretword' }],
  ])('stops %s %j before anything is held or sent', async (path, body) => {
    await set('SensitiveWords', 'secretword');
    await set('CheckSensitiveEnabled', true);
    const before = await tasks();
    const got = await post(path, body);
    expect([got.status, got.text]).toEqual([400, expect.stringContaining('sensitive words detected')]);
    expect(got.text.toLowerCase()).not.toContain('secretword');
    expect(await tasks()).toBe(before);
  });

  it('is not looked for where that is off', async () => {
    await set('SensitiveWords', 'secretword');
    expect((await imagine('a secretword')).status).toBe(200);
  });
});

describe('the limit of requests', () => {
  const limitTo = async (user: string, total: number, succeeded: number): Promise<Caller> => {
    await set('ModelRequestRateLimitCount', total);
    await set('ModelRequestRateLimitSuccessCount', succeeded);
    await set('ModelRequestRateLimitEnabled', true);
    const { key } = await stage.token(await stage.person(user));
    return stage.caller({ authorization: `Bearer sk-${key}` });
  };
  const draw = (who: Caller, prompt: string) =>
    who('/mj/submit/imagine', { method: 'POST', body: { prompt } }).then(({ status }) => status);

  it('counts drawings and music, failed ones too, and not what is only fetched', async () => {
    const who = await limitTo('many', 2, 1000);
    expect(await draw(who, 'banned things')).toBe(200);
    for (let times = 0; times < 4; times += 1) await who('/mj/task/none/fetch');
    const music = await who('/suno/submit/music', { method: 'POST', body: { prompt: 'la' } });
    expect(music.status).toBe(200);
    const third = await who('/mj/submit/imagine', { method: 'POST', body: { prompt: 'x' } });
    expect([third.status, bodyOf(third)]).toEqual([
      429,
      expect.objectContaining({
        code: 4,
        description: expect.stringMatching(/^too many requests: at most 2/),
      }),
    ]);
  });

  it('counts those an upstream took apart', async () => {
    const who = await limitTo('lucky', 0, 1);
    expect(await draw(who, 'banned things')).toBe(200);
    expect(await draw(who, 'a fox')).toBe(200);
    expect(await draw(who, 'a fox')).toBe(429);
  });
});

describe('paths', () => {
  it.each([
    '/mj/submit/imagine/',
    '/mj-fast/mj/submit/imagine',
    '/mj-relax/mj/submit/imagine/',
    '/turbo/mj/submit/imagine',
  ])('%s draws', async (path) => {
    expect(bodyOf(await post(path, { prompt: 'a fox' }))).toMatchObject({ code: 1 });
  });

  it('of fetches may end in a slash', async () => {
    const id = String(bodyOf(await imagine('a fox'))['result']);
    expect(bodyOf(await call(`/mj/task/${id}/fetch/`))).toMatchObject({ id });
    const song = String(bodyOf(await post('/suno/submit/music/', { prompt: 'la' }))['data']);
    expect(bodyOf(await call(`/suno/fetch/${song}/`))).toMatchObject({ data: { task_id: song } });
    expect(bodyOf(await post('/suno/fetch/', { ids: [song] }))).toMatchObject({ data: [{ task_id: song }] });
  });

  it.each(['/mj/', '/mj/submit/nothing', '/mj/task/x', '/suno/', '/suno/submit/noise'])(
    '%s is no call',
    async (path) => {
      expect((await post(path, {})).status).toBe(404);
    },
  );
});

describe('the seed of a picture', () => {
  it('is asked for at the channel that drew it, for its owner only', async () => {
    const id = String(bodyOf(await imagine('a fox'))['result']);
    expect(bodyOf(await call(`/mj/task/${id}/image-seed`))).toEqual({
      code: 1,
      description: 'success',
      result: '1259687673',
    });
    const { key } = await stage.token(await stage.person('bob'));
    const bob = stage.caller({ 'mj-api-secret': key });
    expect((await bob(`/mj/task/${id}/image-seed`)).status).toBe(404);
  });
});

describe('the hook of a task', () => {
  const hook = () => `http://127.0.0.1:${(listener.address() as AddressInfo).port}/told`;

  it('is called with the task at every change while callbacks are on, and otherwise never', async () => {
    await imagine('not to be told', { notifyHook: hook() });
    await set('MjNotifyEnabled', true);
    const id = String(bodyOf(await imagine('a fox', { notifyHook: hook(), state: 'my own' }))['result']);
    await server.parts.taskRelay.poller.run();
    await server.parts.taskRelay.poller.run();
    await expect.poll(() => heard.map(({ status }) => status).toSorted()).toEqual(['IN_PROGRESS', 'SUCCESS']);
    expect(heard).toContainEqual(
      expect.objectContaining({ id, prompt: 'a fox', state: 'my own', imageUrl: `/mj/image/${id}` }),
    );
  });
});
