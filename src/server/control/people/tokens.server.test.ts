import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { role } from '#contract/codes.ts';
import type { User } from '#core/user/user.ts';
import { readConfig } from '../../config.ts';
import { type RunningServer, startServer } from '../../main.ts';
import type { Caller, Got } from '../../http/testing/caller.ts';
import { type Stage, setStage } from '../../http/testing/stage.ts';
import { keptLog, temporaryFolder, testEnvironment } from '../../http/testing/test-config.ts';

const folder = temporaryFolder();
let server: RunningServer;
let stage: Stage;
let root: User;
let alice: User;
let call: Caller;

beforeAll(async () => {
  server = await startServer(readConfig(testEnvironment(folder.path)), { log: keptLog() });
  stage = await setStage(server);
  root = await stage.person('root', role.root);
  alice = await stage.person('alice');
  call = stage.caller(await stage.session(alice));
});
afterAll(async () => {
  await server.stop();
  folder.remove();
});

interface Token {
  readonly id: number;
  readonly key: string;
  readonly name: string;
  readonly status: number;
}

const create = async (body: object) =>
  (await call('/api/token', { method: 'POST', body: { name: 'one', ...body } })).data as Token;
const update = (body: object, query = '') => call(`/api/token${query}`, { method: 'PUT', body });

describe('a new token', () => {
  it('comes with its key and the defaults of the specification', async () => {
    const token = await create({});
    expect(token).toMatchObject({
      user_id: alice.id,
      status: 1,
      remain_quota: 500_000,
      used_quota: 0,
      expired_time: -1,
      unlimited_quota: false,
      model_limits_enabled: false,
      model_limits: '',
      allow_ips: '',
      group: '',
      tag: '',
    });
    expect(token.key).toMatch(/^[0-9A-Za-z]{48}$/);
    const models = await fetch(`${server.url}/v1/models`, {
      headers: { Authorization: `Bearer sk-${token.key}` },
    });
    expect(models.status).toBe(200);
  });

  it.each([
    [{ name: '' }, 400, 'name'],
    [{ name: 'x'.repeat(51) }, 400, 'name'],
    [{ remain_quota: -1 }, 400, 'remain_quota'],
    [{ remain_quota: 1e17 }, 400, 'remain_quota'],
    [{ remain_quota: 0.5 }, 400, 'remain_quota'],
    [{ expired_time: -2 }, 400, 'expired_time'],
    [{ allow_ips: '10.0.0.1\nnot an address' }, 400, 'not an address'],
    [{ group: 'svip' }, 200, 'svip'],
  ])('is refused: %j', async (body, status, message) => {
    const got = await call('/api/token', { method: 'POST', body: { name: 'one', ...body } });
    expect([got.status, got.success]).toEqual([status, false]);
    expect(got.message).toContain(message);
  });

  it('may come with others, all or none', async () => {
    const batch = async (count: number) =>
      await call('/api/token/many', { method: 'POST', body: { name: 'many', count } });
    const made = (await batch(3)).data as Token[];
    expect(made.map(({ name }) => name)).toEqual([
      'many',
      expect.stringMatching(/^many-\w{6}$/),
      expect.stringMatching(/^many-\w{6}$/),
    ]);
    expect(new Set(made.map(({ key }) => key)).size).toBe(3);
    for (const count of [0, -1, 1.5, 101]) {
      const refused = await batch(count);
      expect([refused.status, refused.message]).toEqual([400, expect.stringContaining('count')]);
    }
    const crowd = stage.caller(await stage.session(await stage.person('crowd')));
    const answers: Got[] = [];
    for (let n = 0; n < 11; n += 1) {
      const body = { name: 'm', count: n === 9 ? 99 : 100 };
      answers.push(await crowd('/api/token/many', { method: 'POST', body }));
    }
    // 999 fit; the hundred that would make more than 1000 are refused whole.
    expect(answers.map(({ success }) => success)).toEqual([...Array.from({ length: 10 }, () => true), false]);
    expect(answers[10]).toMatchObject({ status: 200, message: 'at most 1000 tokens per user' });
    expect((await crowd('/api/token?p=0&size=100')).data).toMatchObject({ total: 999 });
  });
});

describe('the list', () => {
  it('takes p 0 and 1 for the first page, and the old name of the page size', async () => {
    const [zero, one] = [await call('/api/token/?p=0&size=2'), await call('/api/token?p=1&page_size=2')];
    expect(zero.data).toEqual(one.data);
    expect(zero.data).toMatchObject({ page: 1, page_size: 2, items: [{}, {}] });
    expect((await call('/api/token?page_size=100000')).data).toMatchObject({ page_size: 100 });
  });

  it('is searched by part of a name, and by a key or any part of it', async () => {
    const token = await create({ name: 'needle in hay' });
    const found = async (query: string) =>
      ((await call(`/api/token/search?${query}`)).data as { items: Token[] }).items;
    for (const query of [
      'keyword=edle',
      `token=sk-${token.key}`,
      `token=${token.key.slice(0, 6)}`,
      `token=${token.key.slice(0, 20)}`,
      `token=${token.key.slice(17, 29)}`,
      `token=%20${token.key.slice(30).toUpperCase()}`,
    ]) {
      expect((await found(query)).map(({ id }) => id)).toEqual([token.id]);
    }
    expect(await found('keyword=%25')).toEqual([]);
    expect(await found('token=sk-unknown1')).toEqual([]);
  });
});

it('a token cannot have, or be changed to, a group that is not open to its owner', async () => {
  const { id } = await create({});
  expect((await update({ id, group: 'svip' })).message).toContain('svip');
  expect((await update({ id, allow_ips: 'nowhere' })).message).toContain('nowhere');
  expect((await call(`/api/token/${id}`)).data).toMatchObject({ group: '', allow_ips: '' });
});

describe('enabling', () => {
  it('needs an expired token to live longer first', async () => {
    const token = await create({ expired_time: 1_700_000_000 });
    await update({ id: token.id, status: 2 }, '?status_only=true');
    const refused = await update({ id: token.id, status: 1 }, '?status_only=true');
    expect([refused.status, refused.success]).toEqual([200, false]);
    expect(refused.message).toContain('has expired');
    expect((await update({ id: token.id, expired_time: -1, status: 1 })).data).toMatchObject({
      status: 1,
      expired_time: -1,
    });
  });

  it('needs an exhausted token to have quota first', async () => {
    const token = await create({ remain_quota: 0 });
    await update({ id: token.id, status: 2 }, '?status_only=1');
    expect((await update({ id: token.id, status: 1 }, '?status_only=1')).message).toContain('no quota left');
    expect((await update({ id: token.id, unlimited_quota: true, status: 1 })).data).toMatchObject({
      status: 1,
    });
  });

  it.each([
    [{ expired_time: 1_700_000_000 }, 3, 'has expired', { expired_time: -1 }],
    [{ remain_quota: 0 }, 4, 'no quota left', { remain_quota: 5 }],
    [
      { expired_time: 1_700_000_000, remain_quota: 0 },
      3,
      'has expired',
      { expired_time: -1, remain_quota: 1 },
    ],
  ])(
    'is refused where %j has stopped a token, which says %i until that is changed',
    async (stop, status, why, mended) => {
      const { id } = await create(stop);
      const read = async () => ((await call(`/api/token/${id}`)).data as Token).status;
      expect(await read()).toBe(status);
      expect((await update({ id, status: 1 }, '?status_only=true')).message).toContain(why);
      expect((await update({ id, name: 'renamed', status })).data).toMatchObject({ name: 'renamed', status });
      expect((await update({ id, name: 'again' })).data).toMatchObject({ name: 'again', status });
      expect((await update({ id, ...mended })).data).toMatchObject({ status: 1 });
      expect(await read()).toBe(1);
    },
  );

  it('is not done by sending a state that an owner cannot choose: it is ignored', async () => {
    const token = await create({ remain_quota: 0 });
    await update({ id: token.id, status: 2 }, '?status_only=1');
    for (const status of [3, 4])
      expect((await update({ id: token.id, status }, '?status_only=1')).data).toMatchObject({ status: 2 });
    const live = await create({});
    expect((await update({ id: live.id, status: 3 }, '?status_only=1')).data).toMatchObject({ status: 1 });
  });

  it('changes nothing else with status_only', async () => {
    const token = await create({ name: 'named' });
    const body = { id: token.id, status: 2, name: 'other', remain_quota: 1 };
    expect((await update(body, '?status_only=true')).data).toMatchObject({
      status: 2,
      name: 'named',
      remain_quota: 500_000,
    });
  });
});

it('a deleted or disabled token stops working with the next call', async () => {
  const token = await create({ unlimited_quota: true });
  const status = async () =>
    (await fetch(`${server.url}/v1/models`, { headers: { Authorization: `Bearer sk-${token.key}` } })).status;
  expect(await status()).toBe(200);
  await update({ id: token.id, status: 2 }, '?status_only=true');
  expect(await status()).toBe(401);
  await update({ id: token.id, status: 1 }, '?status_only=true');
  expect(await status()).toBe(200);
  await call(`/api/token/${token.id}/`, { method: 'DELETE' });
  expect(await status()).toBe(401);
});

it('while new tokens are to use auto, it is the first group to choose, also in the playground', async () => {
  const groups = async (language: string) =>
    (await call('/api/user/self/groups', { headers: { 'Accept-Language': language } })).data as object;
  expect(await groups('en')).not.toHaveProperty('auto');
  await stage.option(root, 'DefaultUseAutoGroup', 'true');
  expect(Object.entries(await groups('en'))[0]).toEqual(['auto', { desc: 'automatic', ratio: 'auto' }]);
  expect(Object.entries(await groups('zh'))[0]).toEqual(['auto', { desc: '自动选择', ratio: '自动' }]);
  expect(await create({ group: 'auto' })).toMatchObject({ group: 'auto' });
  await stage.option(root, 'UserUsableGroups', '{"default":"d","auto":"of the house"}');
  expect(await groups('en')).toMatchObject({ auto: { desc: 'of the house', ratio: 'auto' } });
});

it('a group without a ratio is not offered, in no list, since no token may have it', async () => {
  const texts = '{"default":"d","gone":"no longer there"}';
  await server.parts.stores.options.set('UserUsableGroups', texts, 1);
  await server.parts.refreshRouting();
  expect((await call('/api/user/self/groups')).data).not.toHaveProperty('gone');
  expect((await stage.caller({})('/api/user/groups')).data).not.toHaveProperty('gone');
  const refused = await call('/api/token', { method: 'POST', body: { name: 't', group: 'gone' } });
  expect(refused.message).toContain('gone');
  const pricing = JSON.parse((await call('/api/pricing')).text) as object;
  expect(JSON.stringify(pricing)).not.toContain('no longer there');
  expect((await call('/api/user/self/groups')).data).toHaveProperty('default');
});
