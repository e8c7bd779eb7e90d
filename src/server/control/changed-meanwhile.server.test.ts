import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Caller, Got } from '../http/testing/caller.ts';
import { openScene, type Scene } from '../http/testing/scene.ts';

/** The same thing is open in two windows, and both save. */

let scene: Scene;
let other: Caller;

beforeAll(async () => {
  scene = await openScene();
  other = scene.stage.caller(await scene.stage.session(scene.root));
});
afterAll(() => scene.close());

type Row = Readonly<Record<string, unknown>> & { readonly id: number };
interface Kind {
  readonly make: () => Promise<Row>;
  readonly read: (id: number) => Promise<Row>;
  readonly save: (as: Caller, id: number, body: object) => ReturnType<Caller>;
  /** A field with two new values, and another field with one. */
  readonly field: readonly [name: string, first: unknown, second: unknown];
  readonly beside: readonly [name: string, value: unknown];
}

const codeOf = ({ text }: Got): unknown => (JSON.parse(text) as { code?: unknown }).code;
const said = { headers: { 'Accept-Language': 'en' } };
const put = (path: string) => (as: Caller, id: number, body: object) =>
  as(path, { method: 'PUT', body: { id, ...body }, ...said });
const get = (path: string) => async (id: number) => (await scene.asRoot(`${path}/${id}`)).data as Row;
const newest = async (path: string): Promise<Row> => {
  const { data } = await scene.asRoot(path);
  return (data as { items: Row[] }).items.toSorted((left, right) => right.id - left.id)[0]!;
};
const made = async (path: string, body: object): Promise<Row> => {
  const answer = await scene.asRoot(path, { method: 'POST', body });
  if (answer.success !== true) throw new Error(answer.message);
  return newest(path);
};
let names = 0;
const newName = () => `name ${(names += 1)}`;

const channel = () =>
  made('/api/channel', { name: newName(), key: 'sk-first', models: 'm', base_url: 'https://up.example' });

const kinds: Readonly<Record<string, Kind>> = {
  'the settings of a channel': {
    make: channel,
    read: get('/api/channel'),
    save: put('/api/channel'),
    field: ['setting', '{"system_prompt":"one"}', '{"idle_timeout_ms":5000,"system_prompt":"two"}'],
    beside: ['priority', 7],
  },
  'the models of a channel under other names': {
    make: channel,
    read: get('/api/channel'),
    save: put('/api/channel'),
    field: ['model_mapping', '{"m":"one"}', '{"m":"two"}'],
    beside: ['param_override', '{"top_k":1}'],
  },
  'what a channel changes in bodies': {
    make: channel,
    read: get('/api/channel'),
    save: put('/api/channel'),
    field: ['param_override', '{"top_k":1}', '{"top_k":2}'],
    beside: ['weight', 3],
  },
  'the models of a channel': {
    make: channel,
    read: get('/api/channel'),
    save: put('/api/channel'),
    field: ['models', 'm,one', 'm,two'],
    beside: ['tag', 'a tag'],
  },
  'the notes on a channel': {
    make: channel,
    read: get('/api/channel'),
    save: put('/api/channel'),
    field: ['remark', 'one', 'two'],
    beside: ['name', 'beside'],
  },
  'the models of a token': {
    make: () => made('/api/token', { name: newName(), remain_quota: 1000, unlimited_quota: false }),
    read: get('/api/token'),
    save: put('/api/token'),
    field: ['model_limits', 'one', 'two'],
    beside: ['name', 'beside'],
  },
  'the budget of a token': {
    make: () => made('/api/token', { name: newName(), remain_quota: 1000, unlimited_quota: false }),
    read: get('/api/token'),
    save: put('/api/token'),
    field: ['remain_quota', 2000, 3000],
    beside: ['allow_ips', '10.0.0.0/8'],
  },
  'the group of an account': {
    make: async () => {
      const person = await scene.stage.person(newName().replace(' ', ''));
      return get('/api/user')(person.id);
    },
    read: get('/api/user'),
    save: put('/api/user'),
    field: ['group', 'vip', 'svip'],
    beside: ['display_name', 'beside'],
  },
  'what a code is worth': {
    make: () => made('/api/redemption', { name: 'a code', quota: 100, count: 1 }),
    read: get('/api/redemption'),
    save: put('/api/redemption'),
    field: ['quota', 200, 300],
    beside: ['name', 'beside'],
  },
};

describe.each(Object.entries(kinds))('%s', (_, { make, read, save, field, beside }) => {
  const [name, first, second] = field;

  it('saved by one admin is not overwritten by another who began before: that one is told who saved it', async () => {
    const was = await make();
    const { id } = was;
    expect((await save(scene.asRoot, id, { [name]: first, was })).message).toBe('');
    const late = await save(other, id, { [name]: second, [beside[0]]: beside[1], was });
    expect([late.success, codeOf(late), late.message]).toEqual([
      false,
      'changed_meanwhile',
      expect.stringContaining(name),
    ]);
    expect(await read(id)).toMatchObject({ [name]: first, [beside[0]]: was[beside[0]] });
    const again = await save(other, id, { [name]: second, [beside[0]]: beside[1], was: await read(id) });
    expect(again.message).toBe('');
    expect(await read(id)).toMatchObject({ [name]: second, [beside[0]]: beside[1] });
  });

  it('stays when another admin saves another part, and both are saved', async () => {
    const was = await make();
    const { id } = was;
    const saved = await Promise.all([
      save(scene.asRoot, id, { [name]: first, was }),
      save(other, id, { [beside[0]]: beside[1], was }),
    ]);
    expect(saved.map(({ message }) => message)).toEqual(['', '']);
    expect(await read(id)).toMatchObject({ [name]: first, [beside[0]]: beside[1] });
  });

  it('is saved by exactly one of many who save at one instant', async () => {
    for (let round = 0; round < 5; round += 1) {
      const was = await make();
      const saved = await Promise.all(
        [first, second, first, second].map((value, at) =>
          save(at % 2 === 0 ? scene.asRoot : other, was.id, { [name]: value, was }),
        ),
      );
      const now = (await read(was.id))[name];
      const won = saved.map(({ success }) => success);
      expect(won).toEqual(now === first ? [true, false, true, false] : [false, true, false, true]);
    }
  });

  it('is replaced if the request does not say what was read, as in compatible servers', async () => {
    const { id } = await make();
    await save(scene.asRoot, id, { [name]: first });
    expect((await save(other, id, { [name]: second })).message).toBe('');
    expect(await read(id)).toMatchObject({ [name]: second });
  });
});

it('a budget that only calls have spent since it was read is set', async () => {
  const was = await made('/api/token', { name: newName(), remain_quota: 1000, unlimited_quota: false });
  const { ledger } = scene.server.parts.stores;
  const { id: userId } = scene.root;
  const grant = { kind: 'grant', ref: 'a gift', reason: '', actorId: 0, nowMs: 1 } as const;
  await ledger.move({ ...grant, userId, deltaUnits: 1000 });
  const hold = { id: 'runs', userId, tokenId: was.id, quotaUnits: 300, nowMs: 1, expiresAtMs: 2 };
  expect(await ledger.hold(hold)).toBe('held');
  const got = await put('/api/token')(other, was.id, { remain_quota: 5000, was });
  expect([got.message, (got.data as Row)['remain_quota']]).toEqual(['', 5000]);
  await ledger.void('runs', 3);
});

it('a channel key that one replaced is not lost to another who replaces it, too', async () => {
  const was = await channel();
  const save = put('/api/channel');
  expect((await save(scene.asRoot, was.id, { key: 'sk-second', was })).message).toBe('');
  const late = await save(other, was.id, { key: 'sk-third', was });
  expect([codeOf(late), late.message]).toEqual(['changed_meanwhile', expect.stringContaining('key')]);
  const now = await get('/api/channel')(was.id);
  expect((await save(other, was.id, { key: 'sk-third', was: now })).message).toBe('');
});

it('keys that one added to a channel are not lost to another who replaces its key', async () => {
  const was = await channel();
  await scene.asRoot(`/api/channel/${was.id}/keys`, { method: 'POST', body: { keys: 'sk-b\nsk-c' } });
  const late = await put('/api/channel')(other, was.id, { key: 'sk-alone', was });
  expect(codeOf(late)).toBe('changed_meanwhile');
  const keys = await scene.asRoot(`/api/channel/${was.id}/keys`);
  expect(keys.data).toMatchObject({ total: 3 });
});

it('what one saved of a key is not lost to another, who is told; other parts are saved beside it', async () => {
  const { id } = await channel();
  await scene.asRoot(`/api/channel/${id}/keys`, { method: 'POST', body: { keys: 'sk-b' } });
  const list = async () =>
    ((await scene.asRoot(`/api/channel/${id}/keys`)).data as { items: Row[] }).items[0]!;
  const was = await list();
  const save = (as: Caller, body: object) =>
    as(`/api/channel/${id}/keys/${was.id}`, { method: 'PUT', body, ...said });
  expect((await save(scene.asRoot, { concurrent: 3, key: 'sk-new', was })).message).toBe('');
  for (const body of [{ concurrent: 4 }, { key: 'sk-newer' }])
    expect(codeOf(await save(other, { ...body, was }))).toBe('changed_meanwhile');
  expect((await save(other, { calls_per_day: 9, was })).message).toBe('');
  expect(await list()).toMatchObject({ concurrent: 3, calls_per_day: 9 });
});

it('entries of a price draft that one added are not lost to another who began before', async () => {
  const entry = (key: string) => ({ option: 'ModelRatio', key, value: 1 });
  const { data } = await scene.asRoot('/api/price_book/draft', { method: 'POST', body: { entries: [] } });
  const path = `/api/price_book/draft/${(data as Row).id}`;
  const edition = async () => ((await scene.asRoot(path)).data as { edition: string }).edition;
  const was = { edition: await edition() };
  const save = (as: Caller, key: string, read: object) =>
    as(path, { method: 'PUT', body: { entries: [entry(key)], ...read }, ...said });
  expect((await save(scene.asRoot, 'first', { was })).message).toBe('');
  expect(codeOf(await save(other, 'second', { was }))).toBe('changed_meanwhile');
  expect((await scene.asRoot(path)).data).toMatchObject({ entries: 1, diff: [{ key: 'first' }] });
  expect((await save(other, 'second', { was: { edition: await edition() } })).message).toBe('');
  const at = { was: { edition: await edition() } };
  const saved = await Promise.all(['a', 'b', 'c', 'd'].map((key) => save(other, key, at)));
  expect(saved.filter(({ success }) => success === true)).toHaveLength(1);
});
