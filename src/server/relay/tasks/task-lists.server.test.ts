import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { idOf, openTaskScene, TASK_COST, type TaskScene } from '../../http/testing/task-scene.ts';

/** Music, the options of drawing, and the lists of both, against a fake upstream. */

let tasks: TaskScene;
beforeAll(async () => {
  tasks = await openTaskScene({ TRUSTED_PROXIES: '127.0.0.1' });
});
afterAll(() => tasks.close());

const send: TaskScene['send'] = (...sent) => tasks.send(...sent);
const imagine: TaskScene['imagine'] = (...sent) => tasks.imagine(...sent);
const taskOf: TaskScene['taskOf'] = (id) => tasks.taskOf(id);
const poll = () => tasks.poll();
const money = () => tasks.money();
const set = (name: string, value: string) => tasks.scene.set(name, value);

describe('the options of drawing', () => {
  it('mode flags are removed from the prompt if that is enabled', async () => {
    await set('MjModeClearEnabled', 'true');
    const id = idOf(await imagine('stuck tree --fast --ar 3:2'));
    expect(await taskOf(id)).toMatchObject({ prompt: 'stuck tree --ar 3:2' });
    await set('MjModeClearEnabled', 'false');
  });

  it("pictures have the upstream's address if they are not forwarded", async () => {
    const id = idOf(await imagine('a boat'));
    await poll();
    await poll();
    await set('MjForwardUrlEnabled', 'false');
    expect(String((await taskOf(id))['imageUrl'])).toMatch(/^http:\/\/.+\/pictures\//);
    await set('MjForwardUrlEnabled', 'true');
  });

  it("pictures have the operator's address, else the one the caller used", async () => {
    const id = idOf(await imagine('a lighthouse'));
    await poll();
    await poll();
    const own = await tasks.scene.stage.accessToken(tasks.alice);
    const urls = async (headers: Record<string, string>): Promise<unknown[]> => {
      const one = await askAt(`/mj/task/${id}/fetch`, { 'mj-api-secret': tasks.key, ...headers });
      const many = await askAt('/api/mj/self', { ...own, ...headers });
      const { items } = many['data'] as { items: { mj_id: string; image_url: string }[] };
      return [one['imageUrl'], items.find((item) => item.mj_id === id)?.image_url];
    };
    const twice = (origin: string) => [`${origin}/mj/image/${id}`, `${origin}/mj/image/${id}`];
    expect(await urls({ host: 'gate.example:8080' })).toEqual(twice('http://gate.example:8080'));
    expect(await urls({ host: 'gate.example', 'x-forwarded-proto': 'https' })).toEqual(
      twice('https://gate.example'),
    );
    await set('ServerAddress', 'https://set.example');
    expect(await urls({ host: 'gate.example' })).toEqual(twice('https://set.example'));
    await set('ServerAddress', '');
  });
});

/** GET with a Host of its own, which `fetch` does not allow. */
const askAt = async (path: string, headers: Record<string, string>): Promise<Record<string, unknown>> => {
  const asked = get(`${tasks.scene.server.url}${path}`, { headers });
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  return (await json(answer)) as Record<string, unknown>;
};

describe('music', () => {
  const suno = { authorization: '' };
  beforeAll(() => {
    suno.authorization = `Bearer sk-${tasks.key}`;
  });

  it('is submitted, fetched by its owner, charged when it is done', async () => {
    const before = await money();
    const answer = await send('/suno/submit/music', { gpt_description_prompt: 'a waltz' }, suno);
    expect(answer.body).toMatchObject({ code: 'success' });
    const id = String(answer.body['data']);
    await poll();
    await poll();
    const one = await send(`/suno/fetch/${id}`, undefined, suno);
    expect(one.body).toMatchObject({
      code: 'success',
      data: { task_id: id, status: 'SUCCESS', action: 'MUSIC', progress: '100%' },
    });
    const many = await send('/suno/fetch', { ids: [id, 'other'] }, suno);
    expect(many.body['data']).toHaveLength(1);
    expect(await money()).toMatchObject({ used: before.used + TASK_COST, held: expect.any(Number) });
    const bob = { authorization: `Bearer sk-${tasks.bobKey}` };
    expect((await send(`/suno/fetch/${id}`, undefined, bob)).status).toBe(404);
    expect(await send('/suno/submit/noise', {}, suno)).toMatchObject({
      status: 404,
      body: { code: 'not_found', message: 'Invalid URL (POST /suno/submit/noise)', data: null },
    });
  });

  it('is continued only from a clip of the caller’s own task, wherever and however that is named', async () => {
    const song = async (headers: object, prompt: string): Promise<{ task_id: string; clip: string }> => {
      const { body } = await send('/suno/submit/music', { prompt }, headers);
      for (let times = 0; times < 4; times += 1) await poll();
      const made = (await send(`/suno/fetch/${String(body['data'])}`, undefined, headers)).body['data'];
      const { task_id, data } = made as { task_id: string; data: { id: string }[] };
      return { task_id, clip: data[0]?.id ?? '' };
    };
    const bob = { authorization: `Bearer sk-${tasks.bobKey}` };
    const hers = await song(suno, 'la');
    // The upstream repeats the prompt as the song's title: that makes no clip his.
    const his = await song(bob, hers.clip);
    const go = (more: object) => send('/suno/submit/music', { task_id: his.task_id, ...more }, bob);
    await tasks.simulator.reset();
    for (const more of [
      { continue_clip_id: hers.clip },
      { continue_clip_id: [hers.clip] },
      { cover_clip_id: { id: hers.clip } },
      { playlist_clip_ids: [his.clip, hers.clip] },
      { metadata: { cover_clip_id: hers.clip } },
      { infill: [{ audioId: hers.clip }] },
      { persona_id: 'a persona of the account' },
    ])
      expect((await go(more)).status).toBe(400);
    expect((await tasks.simulator.calls()).count).toBe(0);
    expect((await go({ continue_clip_id: his.clip, playlist_clip_ids: [his.clip] })).status).toBe(200);
    await set('global.account_objects_enabled', 'true');
    expect((await go({ persona_id: 'a persona of the account' })).status).toBe(200);
    await set('global.account_objects_enabled', 'false');
  });

  it.each([
    ['lyrics without a prompt', '/suno/submit/lyrics', {}, 400],
    ['a clip to continue without its task', '/suno/submit/music', { continue_clip_id: 'c' }, 400],
    ['a prompt the upstream refuses', '/suno/submit/music', { prompt: 'banned' }, 502],
    ['a task that is named as a list', '/suno/submit/music', { prompt: 'la', task_id: ['theirs'] }, 400],
    ['a second task in another spelling', '/mj/submit/imagine', { prompt: 'fox', TaskId: 'theirs' }, 400],
    [
      'a hook for the upstream',
      '/mj/submit/imagine',
      { prompt: 'fox', NotifyHook: 'https://a.example' },
      400,
    ],
  ])('%s costs nothing', async (_case, path, body, status) => {
    const before = await money();
    expect((await send(path, body, suno)).status).toBe(status);
    expect(await money()).toEqual(before);
  });
});

describe('the logs of tasks', () => {
  it('show all tasks to admins and their own to users, filtered by id and time', async () => {
    const admin = tasks.scene.stage.caller(await tasks.scene.stage.session(tasks.root));
    const own = tasks.scene.stage.caller(await tasks.scene.stage.session(tasks.alice));
    const all = (await admin('/api/mj?p=0&page_size=100')).data as {
      total: number;
      items: { mj_id: string }[];
    };
    expect(all.total).toBeGreaterThan(1);
    const mine = (await own('/api/mj/self')).data as { items: Record<string, unknown>[] };
    expect(mine.items[0]).toMatchObject({ username: 'alice', channel_id: 0 });
    const [first] = all.items;
    const found = (await admin(`/api/mj/?mj_id=${first?.mj_id ?? ''}`)).data as { total: number };
    expect(found.total).toBe(1);
    expect(
      ((await admin(`/api/mj?start_timestamp=${Date.now() + 60_000}`)).data as { total: number }).total,
    ).toBe(0);
    const music = (await own('/api/task/self')).data as { items: object[] };
    expect(music.items.at(-1)).toMatchObject({ platform: 'suno', action: 'MUSIC', channel_id: 0 });
    expect(((await own('/api/task/self?start_timestamp=9999999999')).data as { total: number }).total).toBe(
      0,
    );
  });
});
