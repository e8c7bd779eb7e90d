import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { role } from '#contract/codes.ts';
import type { User } from '#core/user/user.ts';
import { readConfig } from '../config.ts';
import { type RunningServer, startServer } from '../main.ts';
import { type RunningSimulator, startSimulator } from '../../simulator/start.ts';
import { type Stage, setStage } from './testing/stage.ts';
import { keptLog, temporaryFolder, testEnvironment } from './testing/test-config.ts';

/** Music, the options of drawing, and the lists of both, against a fake upstream. */

const COST = 50_000;
const folder = temporaryFolder();
let simulator: RunningSimulator;
let server: RunningServer;
let stage: Stage;
let root: User;
let alice: User;
let key: string;
let bobKey: string;

beforeAll(async () => {
  simulator = await startSimulator();
  const environment = { ...testEnvironment(folder.path), TRUSTED_PROXIES: '127.0.0.1' };
  server = await startServer(readConfig(environment), { log: keptLog() });
  stage = await setStage(server);
  root = await stage.person('root', role.root);
  alice = await stage.person('alice');
  const bob = await stage.person('bob');
  for (const { id } of [alice, bob])
    await server.parts.stores.ledger.move({
      kind: 'grant',
      ref: `start ${id}`,
      userId: id,
      deltaUnits: 10_000_000,
      reason: '',
      actorId: 0,
      nowMs: 1,
    });
  key = await keyOf(alice, 5_000_000);
  bobKey = await keyOf(bob, 5_000_000);
  const drawing = 'mj_imagine,mj_upscale,mj_variation,mj_describe,mj_inpaint,mj_modal,mj_upload,swap_face';
  await stage.channel(root, { type: 2, baseUrl: simulator.url, models: drawing, key: 'secret' });
  await stage.channel(root, { type: 36, baseUrl: simulator.url, models: 'suno_music,suno_lyrics' });
});
afterAll(async () => {
  await server.stop();
  await simulator.stop();
  folder.remove();
});

const keyOf = async (user: User, remainQuotaUnits: number): Promise<string> => {
  const wish = {
    name: 'draws',
    expiresAtMs: null,
    remainQuotaUnits,
    unlimited: false,
    modelLimitsEnabled: false,
    modelLimits: [],
    allowIps: '',
    group: '',
  };
  const [token] = await server.parts.tokens.create(user, wish, 1);
  return token?.key ?? '';
};

interface Sent {
  readonly status: number;
  readonly body: Record<string, unknown>;
}

const send = async (
  path: string,
  body?: object,
  headers: object = { 'mj-api-secret': key },
): Promise<Sent> => {
  const answer = await fetch(`${stage.url}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
};
const imagine = (prompt: string, more: object = {}) => send('/mj/submit/imagine', { prompt, ...more });
const idOf = ({ body }: Sent): string => String(body['result']);
const poll = () => server.parts.taskRelay.poller.run();
const taskOf = async (id: string) => (await send(`/mj/task/${id}/fetch`)).body;
const money = async () => {
  const user = await server.parts.stores.users.byId(alice.id);
  const [token] = (await server.parts.stores.database.writer
    .selectFrom('tokens')
    .selectAll()
    .where('user_id', '=', alice.id)
    .execute()) as { remain_quota: number; held: number; used_quota: number }[];
  return {
    user: user?.quotaUnits ?? 0,
    used: user?.usedQuotaUnits ?? 0,
    token: token?.remain_quota ?? 0,
    held: token?.held ?? 0,
  };
};
const set = (name: string, value: string) =>
  server.parts.stores.options.set(name, value, Date.now()).then(() => server.parts.refreshRouting());

describe('the options of drawing', () => {
  it('mode words leave the prompt where they are cleared', async () => {
    await set('MjModeClearEnabled', 'true');
    const id = idOf(await imagine('stuck tree --fast --ar 3:2'));
    expect(await taskOf(id)).toMatchObject({ prompt: 'stuck tree --ar 3:2' });
    await set('MjModeClearEnabled', 'false');
  });

  it('pictures come from their own address where they are not forwarded', async () => {
    const id = idOf(await imagine('a boat'));
    await poll();
    await poll();
    await set('MjForwardUrlEnabled', 'false');
    expect(String((await taskOf(id))['imageUrl'])).toMatch(/^http:\/\/.+\/pictures\//);
    await set('MjForwardUrlEnabled', 'true');
  });

  it('pictures are at the address the operator set, else at the one the caller reached', async () => {
    const id = idOf(await imagine('a lighthouse'));
    await poll();
    await poll();
    const session = await stage.session(alice);
    const urls = async (headers: Record<string, string>): Promise<unknown[]> => {
      const one = await askAt(`/mj/task/${id}/fetch`, { 'mj-api-secret': key, ...headers });
      const many = await askAt('/api/mj/self', { ...session, ...headers });
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
  const asked = get(`${stage.url}${path}`, { headers });
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  return (await json(answer)) as Record<string, unknown>;
};

describe('music', () => {
  const suno = { authorization: '' };
  beforeAll(() => {
    suno.authorization = `Bearer sk-${key}`;
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
    expect(await money()).toMatchObject({ used: before.used + COST, held: expect.any(Number) });
    const bob = { authorization: `Bearer sk-${bobKey}` };
    expect((await send(`/suno/fetch/${id}`, undefined, bob)).status).toBe(404);
  });

  it.each([
    ['lyrics without a prompt', '/suno/submit/lyrics', {}, 400],
    ['a clip to continue without its task', '/suno/submit/music', { continue_clip_id: 'c' }, 400],
    ['a prompt the upstream refuses', '/suno/submit/music', { prompt: 'banned' }, 502],
  ])('%s costs nothing', async (_case, path, body, status) => {
    const before = await money();
    expect((await send(path, body, suno)).status).toBe(status);
    expect(await money()).toEqual(before);
  });
});

describe('the logs of tasks', () => {
  it('show admins everything and users their own, by id and time', async () => {
    const admin = stage.caller(await stage.session(root));
    const own = stage.caller(await stage.session(alice));
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
