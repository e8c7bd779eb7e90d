import { createServer, type Server } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { role } from '#contract/codes.ts';
import { taskPrices } from '#core/task/task-price.ts';
import type { User } from '#core/user/user.ts';
import { addressOf, listening } from '../../outbound/testing/local-server.ts';
import { readConfig } from '../../config.ts';
import { type RunningServer, startServer } from '../../main.ts';
import { type RunningSimulator, startSimulator } from '../../../simulator/start.ts';
import type { Caller, Got } from '../../http/testing/caller.ts';
import { type Stage, setStage } from '../../http/testing/stage.ts';
import { keptLog, temporaryFolder, testEnvironment } from '../../http/testing/test-config.ts';

/** What every call about tasks goes by: words, limits, paths, seeds, and who is told of a change. */

const drawing = Object.keys(taskPrices).filter((model) => !model.startsWith('suno_'));
const music = ['suno_music', 'suno_lyrics'];
const folder = temporaryFolder();
const log = keptLog();
const heard: Record<string, unknown>[] = [];
let simulator: RunningSimulator;
let server: RunningServer;
let stage: Stage;
let call: Caller;
let listener: Server;
let root: User;

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
  await listening(listener);
  server = await startServer(readConfig(testEnvironment(folder.path)), { log });
  stage = await setStage(server);
  root = await stage.person('root', role.root);
  const alice = await stage.person('alice');
  await stage.channel(root, { type: 5, baseUrl: simulator.url, models: drawing.join(','), key: 'k' });
  await stage.channel(root, { type: 36, baseUrl: simulator.url, models: music.join(',') });
  await set('ModelPrice', Object.fromEntries([...drawing, ...music].map((model) => [model, 0])));
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

const set = async (name: string, value: string | number | boolean | object): Promise<void> => {
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

describe('a body that would block other calls', () => {
  it.each(['/mj/submit/imagine', '/mj/task/list-by-condition', '/suno/submit/music', '/suno/fetch'])(
    'is refused: %s',
    async (path) => {
      const before = await tasks();
      const ids = Array.from({ length: 10_001 }, String);
      expect(await post(path, { prompt: 'x', ids })).toMatchObject({
        status: 400,
        text: expect.stringContaining('too many values'),
      });
      expect((await post(path, { prompt: 'x', more: 'x'.repeat(13_000_000) })).status).toBe(413);
      expect(await tasks()).toBe(before);
    },
  );
});

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

  it('is not searched for if that is disabled', async () => {
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

  it('counts drawings and music, even failed ones, but no fetches', async () => {
    const who = await limitTo('many', 2, 1000);
    expect(await draw(who, 'banned things')).toBe(200);
    for (let times = 0; times < 4; times += 1) await who('/mj/task/none/fetch');
    const music = await who('/suno/submit/music', { method: 'POST', body: { prompt: 'la' } });
    expect(music.status).toBe(200);
    const third = await who('/mj/submit/imagine', { method: 'POST', body: { prompt: 'x' } });
    expect(Number(third.headers.get('retry-after'))).toBeGreaterThan(0);
    expect([third.status, bodyOf(third)]).toEqual([
      429,
      expect.objectContaining({
        code: 4,
        description: expect.stringMatching(/^too many requests: at most 2/),
      }),
    ]);
  });

  it('counts accepted ones separately', async () => {
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

  it('of fetches may end with a slash', async () => {
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
  it('is read from the channel that drew it, for its owner only', async () => {
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
  const hook = () => `${addressOf(listener)}/told`;

  it('is called with the task at every change while callbacks are enabled, and otherwise never', async () => {
    await imagine('not to be told', { notifyHook: hook() });
    await set('MjNotifyEnabled', true);
    const id = String(bodyOf(await imagine('a fox', { notifyHook: hook(), state: 'my own' }))['result']);
    await server.parts.taskRelay.poller.run();
    await server.parts.taskRelay.poller.run();
    const told = () => new Set(heard.map(({ status }) => status));
    await expect.poll(told).toEqual(new Set(['IN_PROGRESS', 'SUCCESS']));
    expect(heard).toHaveLength(2);
    expect(heard).toContainEqual(
      expect.objectContaining({
        id,
        prompt: 'a fox',
        state: 'my own',
        imageUrl: `${server.url}/mj/image/${id}`,
      }),
    );
  });
});

describe('every call that submits a drawing', () => {
  let origin: string;
  beforeAll(async () => {
    origin = String(bodyOf(await imagine('a castle'))['result']);
    await server.parts.taskRelay.poller.run();
    await server.parts.taskRelay.poller.run();
  });
  const button = (what: string) => ({ customId: `MJ::${what}::1::abc` });

  it.each([
    ['submit/imagine', { prompt: 'x' }, 'IMAGINE'],
    ['submit/describe', { base64: 'data:image/png;base64,AA' }, 'DESCRIBE'],
    ['submit/blend', { base64Array: ['a', 'b'] }, 'BLEND'],
    ['submit/shorten', { prompt: 'long words' }, 'SHORTEN'],
    ['insight-face/swap', { sourceBase64: 'a', targetBase64: 'b' }, 'SWAP_FACE'],
    ['submit/change', { taskId: true, action: 'UPSCALE', index: 1 }, 'UPSCALE'],
    ['submit/change', { taskId: true, action: 'VARIATION', index: 1 }, 'VARIATION'],
    ['submit/change', { taskId: true, action: 'REROLL' }, 'REROLL'],
    ['submit/action', { taskId: true, ...button('JOB::high_variation') }, 'HIGH_VARIATION'],
    ['submit/action', { taskId: true, ...button('JOB::low_variation') }, 'LOW_VARIATION'],
    ['submit/action', { taskId: true, ...button('JOB::pan_left') }, 'PAN'],
    ['submit/action', { taskId: true, ...button('Outpaint::50') }, 'ZOOM'],
    ['submit/action', { taskId: true, ...button('CustomZoom') }, 'CUSTOM_ZOOM'],
    ['submit/action', { taskId: true, ...button('Inpaint') }, 'INPAINT'],
    ['submit/modal', { taskId: true, prompt: 'x' }, 'MODAL'],
  ])('/mj/%s %j is answered with a task of its own: %s', async (path, body, action) => {
    const sent = 'taskId' in body ? { ...body, taskId: origin } : body;
    const answer = bodyOf(await post(`/mj/${path}`, sent));
    expect([1, 21]).toContain(answer['code']);
    const task = bodyOf(await call(`/mj/task/${String(answer['result'])}/fetch`));
    expect(task).toMatchObject({ id: answer['result'], action });
  });

  it("uploads are answered with the pictures' addresses", async () => {
    const answer = bodyOf(await post('/mj/submit/upload-discord-images', { base64Array: ['data:,x'] }));
    expect(answer).toMatchObject({ code: 1, result: ['https://cdn.example/1.png'] });
  });

  it.each([
    ['submit/imagine', {}, 'prompt is needed'],
    ['submit/change', { action: 'PAN' }, 'action must be UPSCALE, VARIATION or REROLL'],
    ['submit/simple-change', { content: 'one U9' }, 'content must be a task id and U1–U4, V1–V4 or R'],
    ['submit/modal', {}, 'taskId is needed'],
    ['submit/change', { taskId: 'other', action: 'REROLL' }, 'task not found'],
  ])('/mj/%s %j is refused: %s', async (path, body, description) => {
    const got = await post(`/mj/${path}`, body);
    expect([got.status, bodyOf(got)]).toEqual([
      400,
      { code: 4, description, type: 'invalid_request', result: '' },
    ]);
  });
});

describe('the lists of tasks', () => {
  const lists = ['/api/mj', '/api/mj/', '/api/task', '/api/task/'];
  it.each(lists)('%s starts at page 0 or 1, has ten rows by default, and ends empty', async (path) => {
    const admin = stage.caller(await stage.session(root));
    const read = async (query: string) => {
      const data = (await admin(path + query)).data as { items: { id: number }[]; total: number };
      return { ...data, ids: data.items.map(({ id }) => id) };
    };
    const first = await read('?page_size=2');
    expect(first).toMatchObject({ page: 1, page_size: 2, total: expect.any(Number) });
    expect((await read('?p=0&page_size=2')).ids).toEqual(first.ids);
    expect((await read('?p=1&page_size=2')).ids).toEqual(first.ids);
    expect((await read('?p=2&page_size=1')).ids).toEqual(first.ids.slice(1));
    expect(await read(`?p=${first.total + 1}&page_size=1`)).toMatchObject({
      items: [],
      total: first.total,
    });
    expect(await read('')).toMatchObject({ page: 1, page_size: 10 });
    expect(await read('?page_size=500')).toMatchObject({ page_size: 100 });
    expect(first.ids).toEqual(first.ids.toSorted((left, right) => right - left));
  });

  it('are filtered by channel, id and time, bounds included', async () => {
    const admin = stage.caller(await stage.session(root));
    const read = async (query: string) =>
      (await admin(`/api/mj?${query}`)).data as {
        items: { mj_id: string; submit_time: number; channel_id: number }[];
        total: number;
      };
    const { items, total } = await read('page_size=1');
    const { mj_id: id, submit_time: at = 0, channel_id: channel } = items[0] ?? {};
    expect((await read(`mj_id=${id}`)).total).toBe(1);
    expect((await read(`mj_id=${id}&start_timestamp=${at}&end_timestamp=${at}`)).total).toBe(1);
    expect((await read(`mj_id=${id}&start_timestamp=${at + 1}`)).total).toBe(0);
    expect((await read(`mj_id=${id}&end_timestamp=${at - 1}`)).total).toBe(0);
    expect((await read(`channel_id=${channel}`)).total).toBe(total);
    expect((await read(`channel_id=${Number(channel) + 1000}`)).total).toBe(0);
  });
});
