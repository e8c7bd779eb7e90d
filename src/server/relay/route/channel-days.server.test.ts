import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readConfig } from '../../config.ts';
import { openScene, type Scene, type Spender } from '../../http/testing/scene.ts';
import { keptLog, temporaryFolder, testEnvironment } from '../../http/testing/test-config.ts';
import { type RunningServer, startServer } from '../../main.ts';
import { startPostgres } from '../../store/testing/postgres-server.ts';
import { type CachingUpstream, startCachingUpstream } from '../testing/caching-upstream.ts';

/** What channels and keys were used for today is known after a restart, and to every node. */

let upstream: CachingUpstream;
beforeAll(async () => {
  upstream = await startCachingUpstream();
});
afterAll(() => upstream.close());

const statuses = async (url: string, { key }: Spender, model: string, count: number): Promise<number[]> => {
  const found: number[] = [];
  for (let at = 0; at < count; at += 1) {
    const response = await fetch(`${url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer sk-${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model, messages: [{ role: 'user', content: `hi ${String(at)}` }] }),
    });
    await response.text();
    found.push(response.status);
  }
  return found;
};
const channel = async (scene: Scene, model: string, capacity: object): Promise<void> => {
  const setting = JSON.stringify({ capacity });
  await scene.stage.channel(scene.root, { type: 1, baseUrl: upstream.url, models: model, setting });
  await scene.server.parts.refreshRouting();
};
const idsAt = async (scene: Scene, path: string): Promise<number[]> =>
  ((await scene.asRoot(path)).data as { items: { id: number }[] }).items.map(({ id }) => id);

describe('a restart', () => {
  let scene: Scene;
  let alice: Spender;
  beforeAll(async () => {
    scene = await openScene();
    await scene.set('ModelRatio', JSON.stringify({ whole: 1, keyed: 1 }));
    alice = await scene.spender('alice', 1_000_000_000);
  });
  afterAll(() => scene.close());

  it('gives a channel no new day', async () => {
    await channel(scene, 'whole', { calls_per_day: 5 });
    expect(await statuses(scene.server.url, alice, 'whole', 3)).toEqual([200, 200, 200]);
    await scene.restart();
    expect(await statuses(scene.server.url, alice, 'whole', 3)).toEqual([200, 200, 429]);
    await scene.restart();
    expect(await statuses(scene.server.url, alice, 'whole', 1)).toEqual([429]);
  });

  it('gives a key no new day', async () => {
    await channel(scene, 'keyed', {});
    const [id] = await idsAt(scene, '/api/channel?page_size=1&id_sort=true');
    const keys = `/api/channel/${String(id)}/keys`;
    await scene.asRoot(keys, { method: 'POST', body: { keys: 'another key of it' } });
    for (const key of await idsAt(scene, keys))
      await scene.asRoot(`${keys}/${String(key)}`, { method: 'PUT', body: { calls_per_day: 2 } });
    await scene.server.parts.refreshRouting();
    expect(await statuses(scene.server.url, alice, 'keyed', 3)).toEqual([200, 200, 200]);
    await scene.restart();
    expect(await statuses(scene.server.url, alice, 'keyed', 2)).toEqual([200, 429]);
  });
});

describe('two nodes on one PostgreSQL', () => {
  const folder = temporaryFolder();
  let postgres: Awaited<ReturnType<typeof startPostgres>>;
  let here: Scene;
  let there: RunningServer;
  let alice: Spender;
  const environment = () => ({
    DATABASE_URL: postgres.url,
    TOLLGATE_MASTER_KEY: 'a master key of more than 32 characters',
  });
  beforeAll(async () => {
    postgres = await startPostgres();
    here = await openScene(environment());
    await here.set('ModelRatio', JSON.stringify({ shared: 1 }));
    alice = await here.spender('alice', 1_000_000_000);
  });
  afterAll(async () => {
    await here.close();
    await there.stop();
    await postgres.stop();
    folder.remove();
  });

  it('have one day: one that joins later knows what was used, and they go on together', async () => {
    await channel(here, 'shared', { calls_per_day: 10 });
    expect(await statuses(here.server.url, alice, 'shared', 6)).toEqual(Array(6).fill(200));
    // All of it is written then, and no news of it is on its way.
    await here.restart();
    there = await startServer(readConfig({ ...testEnvironment(folder.path), ...environment() }), {
      log: keptLog(),
    });
    expect(await statuses(there.url, alice, 'shared', 2)).toEqual([200, 200]);
    // They hear of each other's calls within a fraction of a second.
    await expect
      .poll(async () => {
        const sum = here.server.parts.seatRoom.freeInMs({
          channelId: (await idsAt(here, '/api/channel?page_size=1&id_sort=true'))[0] ?? 0,
          keyId: 0,
          ofChannel: { callsPerMinute: 0, tokensPerMinute: 0, concurrent: 0, callsPerDay: 8 },
          ofKey: undefined,
          tokens: 0,
        });
        return sum > 0;
      })
      .toBe(true);
    expect(await statuses(here.server.url, alice, 'shared', 3)).toEqual([200, 200, 429]);
  });
});
