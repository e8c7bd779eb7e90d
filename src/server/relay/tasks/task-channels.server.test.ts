import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { hangUp, listening } from '../../outbound/testing/local-server.ts';
import { openScene, type Scene } from '../../http/testing/scene.ts';

/** Drawing and music go by the limits, overrides and aliases of channels, as chats do. */

interface Got {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Record<string, unknown>;
}

let scene: Scene;
let upstream: Server;
let url = '';
let key = '';
let drawings: number;
let music: number;
const got: Got[] = [];
const held: ServerResponse[] = [];
let isHolding = false;
let status = 200;

const answer = (response: ServerResponse, path: string): void => {
  response.writeHead(status, { 'content-type': 'application/json' });
  const id = `up-${String(got.length)}`;
  response.end(
    JSON.stringify(path.startsWith('/suno') ? { code: 'success', data: id } : { code: 1, result: id }),
  );
};
const release = (): void => held.splice(0).forEach((response) => answer(response, '/mj'));

beforeAll(async () => {
  upstream = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => void (text += chunk.toString()));
    request.on('end', () => {
      const { url: path = '', headers } = request;
      if (!path.includes('submit')) return void response.end('[]');
      got.push({ path, headers, body: JSON.parse(text) as Got['body'] });
      if (isHolding) held.push(response);
      else answer(response, path);
    });
  });
  url = await listening(upstream);
  scene = await openScene();
  const { stage, root } = scene;
  await stage.channel(root, { type: 5, baseUrl: url, models: 'mj_imagine,mj_variation,mj_upscale' });
  await stage.channel(root, { type: 36, baseUrl: url, models: 'suno_music,suno_lyrics' });
  const { data } = await scene.asRoot('/api/channel?id_sort=true');
  const ids = (data as { items: { id: number; type: number }[] }).items;
  drawings = ids.find(({ type }) => type === 5)?.id ?? 0;
  music = ids.find(({ type }) => type === 36)?.id ?? 0;
  key = (await scene.spender('artist', 1_000_000_000)).key;
});
afterAll(async () => {
  release();
  hangUp(upstream);
  await scene.close();
});
beforeEach(async () => {
  got.length = 0;
  [isHolding, status] = [false, 200];
  await scene.set('global.model_aliases', '{}');
});

const setting = async (id: number, value: object): Promise<void> => {
  const changed = await scene.asRoot('/api/channel', {
    method: 'PUT',
    body: { id, setting: JSON.stringify(value) },
  });
  expect(changed).toMatchObject({ success: true });
  await scene.server.parts.refreshRouting();
};
const submit = (path: string, body: object, signal?: AbortSignal, as = key): Promise<Response> =>
  fetch(`${scene.server.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer sk-${as}`, 'content-type': 'application/json', 'x-app': 'atelier' },
    body: JSON.stringify(body),
    ...(signal && { signal }),
  });
const imagine = (prompt = 'a tree', signal?: AbortSignal) => submit('/mj/submit/imagine', { prompt }, signal);
const openUnits = async (): Promise<number[]> => {
  const rows = await scene.server.parts.stores.database.writer
    .selectFrom('holds')
    .selectAll()
    .where('state', '=', 'open')
    .execute();
  return rows.map(({ amount }) => amount);
};

describe('limits of a channel', () => {
  it('let as many tasks through as they say, and tell the others when to come back', async () => {
    await setting(drawings, { capacity: { calls_per_minute: 3 } });
    const holds = (await openUnits()).length;
    const answers = await Promise.all(Array.from({ length: 10 }, () => imagine()));
    expect(answers.filter((one) => one.status === 200)).toHaveLength(3);
    const refused = answers.filter((one) => one.status === 429);
    expect(refused).toHaveLength(7);
    expect(Number(refused[0]?.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await refused[0]?.text()).toContain('at its limit');
    expect([got.length, (await openUnits()).length - holds]).toEqual([3, 3]);
  });

  it('are for concurrent tasks too: the others wait in the queue, and who leaves it is never sent', async () => {
    await setting(drawings, { capacity: { concurrent_calls: 1, queue_calls: 5, queue_wait_ms: 30_000 } });
    isHolding = true;
    const running = imagine('running');
    await expect.poll(() => held.length).toBe(1);
    const leaving = new AbortController();
    const left = imagine('left', leaving.signal).catch(() => undefined);
    const stays = imagine('stays');
    leaving.abort();
    await left;
    release();
    expect((await running).status).toBe(200);
    await expect.poll(() => held.length).toBe(1);
    release();
    expect((await stays).status).toBe(200);
    expect(got.map(({ body }) => body['prompt'])).toEqual(['running', 'stays']);
  });

  it('are not used up by tasks that were refused for want of money', async () => {
    await setting(music, { capacity: { calls_per_day: 1, queue_calls: 0 } });
    const poor = await scene.spender('penniless', 0);
    const asked = (as: string) => submit('/suno/submit/music', { prompt: 'la' }, undefined, as);
    const refused = [await asked(poor.key), await asked(poor.key)];
    expect(refused.map((response) => response.status)).toEqual([403, 403]);
    expect([(await asked(key)).status, (await asked(key)).status, got.length]).toEqual([200, 429, 1]);
    await setting(music, {});
  });

  it('have room again after a task that was refused', async () => {
    await setting(music, { capacity: { concurrent_calls: 1 } });
    status = 400;
    const statuses: number[] = [];
    for (let count = 0; count < 3; count += 1)
      statuses.push((await submit('/suno/submit/music', { prompt: 'la' })).status);
    expect(statuses).not.toContain(429);
    expect(got).toHaveLength(3);
  });

  it('are told in the row of a task with its stages: when its hold was made, and when its upstream was asked', async () => {
    status = 400;
    await submit('/suno/submit/music', { prompt: 'la' });
    const { data } = await scene.asRoot('/api/log?type=5&page_size=1');
    const [row] = (data as { items: { other: string }[] }).items;
    const { admin_info: info } = JSON.parse(row?.other ?? '{}') as {
      admin_info: { stages: { read: number; hold: number }; attempts: { at: number; ms: number }[] };
    };
    const [attempt] = info.attempts;
    expect(attempt?.at).toBeGreaterThanOrEqual(info.stages.hold);
    expect(info.stages.hold).toBeGreaterThanOrEqual(info.stages.read);
  });
});

describe('overrides of a channel', () => {
  it('change body and headers of a submitted task', async () => {
    await setting(music, {
      overrides: [
        { op: 'set', path: 'mv', value: 'chirp-v4' },
        { op: 'append', path: 'tags', value: ', calm', when: { model: 'suno_*' } },
        { op: 'set', on: 'header', path: 'x-site', value: 'ours' },
        { op: 'pass', on: 'header', path: 'x-app' },
        { op: 'set', path: 'prompt', value: 'nothing', when: { group: 'vip' } },
      ],
    });
    expect((await submit('/suno/submit/music', { prompt: 'la', tags: 'pop' })).status).toBe(200);
    expect(got[0]).toMatchObject({
      body: { prompt: 'la', tags: 'pop, calm', mv: 'chirp-v4' },
      headers: { 'x-site': 'ours', 'x-app': 'atelier' },
    });
  });

  it('make no other task of it than the one that is held and charged', async () => {
    await setting(drawings, {
      overrides: [
        { op: 'set', path: 'action', value: 'VARIATION' },
        { op: 'set', path: 'taskId', value: 'other' },
        { op: 'set', path: 'customId', value: 'MJ::JOB::upsample::1::x' },
        { op: 'set', path: 'botType', value: 'NIJI_JOURNEY' },
      ],
    });
    expect((await imagine()).status).toBe(200);
    expect(got[0]?.body).toEqual({ prompt: 'a tree', botType: 'NIJI_JOURNEY' });
  });
});

describe('a name that stands for a task', () => {
  it('decides its price, its hold and what its key may call', async () => {
    await setting(drawings, {});
    await scene.set('ModelPrice', JSON.stringify({ mj_imagine: 0.1, mj_upscale: 0.5 }));
    await scene.set('global.model_aliases', JSON.stringify({ mj_imagine: 'mj_upscale' }));
    await scene.server.parts.refreshRouting();
    const before = await openUnits();
    // A key that may call what it stands for may call it, and no other.
    const { stage, server } = scene;
    const person = await stage.person('limited');
    for (const name of ['mj_upscale', 'mj_imagine']) {
      const token = await stage.token(person);
      // As it was saved before there was the alias.
      const limits = { modelLimitsEnabled: true, modelLimits: [name] };
      await server.parts.stores.tokens.update(person.id, token.id, limits, Date.now());
      const refused = await submit('/mj/submit/imagine', { prompt: 'x' }, undefined, token.key);
      // Who has no money got as far as the hold.
      expect([name, /quota/.test(await refused.text())]).toEqual([name, name === 'mj_upscale']);
    }
    expect((await imagine()).status).toBe(200);
    const more = (await openUnits()).toSorted((one, other) => one - other);
    expect(more).toHaveLength(before.length + 1);
    expect(Math.max(...more)).toBe(250_000);
    const [row] = (await scene.server.parts.stores.tasks.page({ platform: 'mj' }, { page: 1, pageSize: 1 }))
      .items;
    expect(row).toMatchObject({ model: 'mj_upscale', quotaUnits: 250_000 });
    expect(JSON.parse(row?.pricing ?? '{}')).toMatchObject({ asked_model: 'mj_imagine' });
  });
});
