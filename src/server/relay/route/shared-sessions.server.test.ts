import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Caller } from '../../http/testing/caller.ts';
import { openScene, type Scene, type Spender } from '../../http/testing/scene.ts';
import { openTwoNodes, type TwoNodes } from '../../http/testing/two-nodes.ts';
import type { RunningServer } from '../../main.ts';
import { type CachingUpstream, startCachingUpstream } from '../testing/caching-upstream.ts';

const MODEL = 'gpt-warm';
const SESSIONS = 6;
let upstreams: readonly CachingUpstream[];

beforeAll(async () => {
  upstreams = [await startCachingUpstream(), await startCachingUpstream()];
});
afterAll(async () => {
  for (const upstream of upstreams) await upstream.close();
});

/** Calls on a connection of its own, so that either relay may have it; says which upstream was asked. */
const say = async (url: string, key: string, session: string): Promise<number> => {
  const before = upstreams.map(({ calls }) => calls);
  const body = JSON.stringify({ model: MODEL, messages: [{ role: 'user', content: 'hi' }] });
  await new Promise<void>((resolve, reject) => {
    const headers = {
      authorization: `Bearer sk-${key}`,
      'content-type': 'application/json',
      'content-length': String(body.length),
      'session-id': session,
    };
    const call = request(`${url}/v1/chat/completions`, { agent: false, method: 'POST', headers });
    call.on('response', (response) => {
      expect(response.statusCode).toBe(200);
      response.resume().on('end', resolve);
    });
    call.on('error', reject);
    call.end(body);
  });
  return upstreams.findIndex(({ calls }, at) => calls > (before[at] ?? 0));
};

const prepare = async (scene: Scene): Promise<Spender> => {
  await scene.set('ModelRatio', JSON.stringify({ [MODEL]: 1 }));
  for (const { url: baseUrl } of upstreams)
    await scene.stage.channel(scene.root, { type: 1, baseUrl, models: MODEL, groups: 'default' });
  return scene.spender('alice', 1_000_000_000);
};

const sessionsAt = async (asRoot: Caller): Promise<number> => {
  const { data } = await asRoot('/api/channel/affinity');
  return (data as readonly { sessions: number }[]).reduce((sum, { sessions }) => sum + sessions, 0);
};

describe('two relays of one server', () => {
  let scene: Scene;
  let alice: Spender;
  beforeAll(async () => {
    scene = await openScene({ TOLLGATE_RELAYS: '2' });
    alice = await prepare(scene);
  });
  afterAll(() => scene.close());

  it('agree where each session stays', async () => {
    const places = async (): Promise<number[]> => {
      const sizes: number[] = [];
      for (let session = 0; session < SESSIONS; session += 1) {
        const seen = new Set<number>();
        for (let turn = 0; turn < 8; turn += 1)
          seen.add(await say(scene.server.url, alice.key, `s${String(session)}`));
        sizes.push(seen.size);
      }
      return sizes;
    };
    // Where each relay knew its own calls only, all six would agree with a chance of 1 to 64.
    await expect.poll(places, { timeout: 30_000 }).toEqual(Array(SESSIONS).fill(1));
  });
});

describe('a restart', () => {
  let scene: Scene;
  let alice: Spender;
  beforeAll(async () => {
    scene = await openScene();
    alice = await prepare(scene);
  });
  afterAll(() => scene.close());
  const homes = async (): Promise<number[]> => {
    const found: number[] = [];
    for (let session = 0; session < 10; session += 1)
      found.push(await say(scene.server.url, alice.key, `r${String(session)}`));
    return found;
  };

  it('leaves sessions where their prompt is cached', async () => {
    const before = await homes();
    expect(await homes()).toEqual(before);
    // By chance all ten would agree once in a thousand times.
    await scene.restart();
    expect(await homes()).toEqual(before);
    const rows = await scene.server.parts.stores.boundSessions.usedSince(0, 100);
    expect(rows).toHaveLength(10);
    // Of the session's name there is a keyed hash.
    expect(JSON.stringify(rows)).not.toContain('"r1"');
    for (const { id } of rows) expect(id).toMatch(/^[\w-]{22}$/);
  });

  it('does not restore a cleared binding', async () => {
    await homes();
    await scene.asRoot('/api/channel/affinity/clear', { method: 'POST', body: {} });
    await scene.restart();
    expect(await sessionsAt(scene.asRoot)).toBe(0);
  });
});

describe('two nodes on one PostgreSQL', () => {
  let nodes: TwoNodes;
  let here: Scene;
  let there: RunningServer;
  let asRootThere: Caller;
  let alice: Spender;
  beforeAll(async () => {
    nodes = await openTwoNodes('PostgreSQL', async (scene) => {
      alice = await prepare(scene);
    });
    ({ here, there, asRootThere } = nodes);
  });
  afterAll(() => nodes.close());

  it('send a session to the same channel, and let it go together', async () => {
    const homes: number[] = [];
    for (let session = 0; session < SESSIONS; session += 1)
      homes.push(await say(here.server.url, alice.key, `n${String(session)}`));
    await expect.poll(() => sessionsAt(asRootThere), { timeout: 10_000 }).toBe(SESSIONS);
    const places: number[] = [];
    for (let session = 0; session < SESSIONS; session += 1)
      places.push(await say(there.url, alice.key, `n${String(session)}`));
    expect(places).toEqual(homes);
    const cleared = await asRootThere('/api/channel/affinity/clear', { method: 'POST', body: {} });
    expect(cleared.data).toEqual({ forgotten: SESSIONS });
    await expect.poll(() => sessionsAt(here.asRoot), { timeout: 10_000 }).toBe(0);
  });
});
