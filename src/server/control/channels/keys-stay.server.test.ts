import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { role } from '#contract/codes.ts';
import type { Caller } from '../../http/testing/caller.ts';
import { openScene, type Scene } from '../../http/testing/scene.ts';
import { type SmallUpstream, startSmallUpstream } from '../../http/testing/small-upstream.ts';

/** An admin cannot have a key sent to another address than it was entered for, however many requests come at once. */

const REAL = 'sk-the-real-key-of-the-house-1234';
const JUNK = 'sk-a-key-that-the-admin-made-up-99';
const ROUNDS = 12;

let scene: Scene;
let home: SmallUpstream;
let thief: SmallUpstream;
let admin: Caller;

beforeAll(async () => {
  [scene, home, thief] = [await openScene(), await startSmallUpstream(), await startSmallUpstream()];
  admin = scene.stage.caller(await scene.stage.session(await scene.stage.person('admin', role.admin)));
});
afterAll(async () => {
  await scene.close();
  await Promise.all([home.close(), thief.close()]);
});

const put = (as: Caller, body: object) => as('/api/channel', { method: 'PUT', body });
const test = (id: number) => admin(`/api/channel/test/${id}`);
const copy = (id: number) => admin(`/api/channel/copy/${id}`, { method: 'POST' });
const at = (baseUrl: string, key: string) =>
  scene.stage.channel(scene.root, { baseUrl, key, models: 'gpt-small', groups: 'default' });
const pooled = (baseUrl: string, key: string) =>
  scene.stage.pool(scene.root, { baseUrl, key, models: 'gpt-small', groups: 'default' });
const stolen = () => thief.requests.filter(({ authorization }) => authorization.includes(REAL)).length;

describe('the key of a channel', () => {
  it('is not sent to a new address by making a pool at the same time', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const { id } = await at(home.url, REAL);
      await Promise.all([
        admin(`/api/channel/${id}/keys`, { method: 'POST', body: { keys: `${JUNK}-${round}` } }),
        put(admin, { id, base_url: thief.url, key: JUNK }),
      ]);
      for (let times = 0; times < 2; times += 1) await test(id);
    }
    expect(stolen()).toBe(0);
  });

  it('is not sent to another address while its channel gets several keys', async () => {
    const { id: last } = await at(home.url, JUNK);
    for (let round = 1; round <= ROUNDS; round += 1) {
      const id = last + round;
      const asked = Array.from({ length: 12 }, () => put(admin, { id, base_url: thief.url, key: JUNK }));
      await pooled(home.url, `${REAL}\n${REAL}-2`);
      await Promise.all([...asked, put(admin, { id, base_url: thief.url, key: JUNK })]);
      await test(id);
    }
    expect(stolen()).toBe(0);
  });

  it.each([
    ['a single key', at],
    ['a pool', pooled],
  ])('restored together with its address is not sent to the address in between: %s', async (_, make) => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const { id } = await make(
        home.url,
        `${REAL}\n${REAL}-2`.slice(0, make === at ? REAL.length : undefined),
      );
      expect((await put(admin, { id, base_url: thief.url, key: JUNK })).success).toBe(true);
      // The admin asks again for the address that the channel has, while its owner puts it right.
      const asked: Promise<unknown>[] = [];
      const insist = () => void asked.push(put(admin, { id, base_url: thief.url }), test(id), copy(id));
      for (let times = 0; times < 3; times += 1) insist();
      const righted = put(scene.asRoot, { id, base_url: home.url, key: REAL });
      for (let times = 0; times < 3; times += 1) insist();
      expect((await righted).message).toBe('');
      await Promise.all(asked);
      await test(id);
    }
    const { items } = (await admin('/api/channel?page_size=100')).data as { items: { id: number }[] };
    for (const { id } of items) await test(id);
    expect(stolen()).toBe(0);
  });
});
