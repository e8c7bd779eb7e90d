import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Caller, Got } from '../../http/testing/caller.ts';
import { openScene, type Scene } from '../../http/testing/scene.ts';

/** Two admins switch or tag the same channels. */

let scene: Scene;
let other: Caller;

beforeAll(async () => {
  scene = await openScene();
  other = scene.stage.caller(await scene.stage.session(scene.root));
});
afterAll(() => scene.close());

type Row = Readonly<Record<string, unknown>>;

const codeOf = ({ text }: Got): unknown => (JSON.parse(text) as { code?: unknown }).code;
const said = { headers: { 'Accept-Language': 'en' } };
const read = async (id: number) => (await scene.asRoot(`/api/channel/${id}`)).data as Row;
let names = 0;
const newName = () => `name ${(names += 1)}`;

/** @returns its id */
const channel = async (): Promise<number> => {
  const body = { name: newName(), key: 'sk-first', models: 'm', base_url: 'https://up.example' };
  await scene.asRoot('/api/channel', { method: 'POST', body });
  const { data } = await scene.asRoot('/api/channel?id_sort=true');
  return (data as { items: { id: number }[] }).items[0]?.id ?? 0;
};

it('a channel that one switched off by hand is not switched on by another who saw it disabled automatically', async () => {
  const id = await channel();
  await scene.server.parts.stores.channels.autoDisable(id, 'its key was refused', 1);
  const was = await read(id);
  const save = (as: Caller, one: number, body: object) =>
    as('/api/channel', { method: 'PUT', body: { id: one, ...body }, ...said });
  const switched = (status: number) => ({ status, was: { status: was['status'] } });
  expect((await save(scene.asRoot, id, switched(2))).message).toBe('');
  expect(codeOf(await save(other, id, switched(1)))).toBe('changed_meanwhile');
  expect((await save(other, id, switched(2))).message).toBe('');
  expect(await read(id)).toMatchObject({ status: 2 });
});

describe('channels of a tag', () => {
  const tagged = async (): Promise<{ readonly tag: string; readonly ids: readonly number[] }> => {
    const tag = newName();
    const ids = [await channel(), await channel()];
    await scene.asRoot('/api/channel/batch/tag', { method: 'POST', body: { ids, tag } });
    return { tag, ids };
  };
  const edit = (as: Caller, tag: string, body: object) =>
    as('/api/channel/tag', { method: 'PUT', body: { tag, ...body }, ...said });

  it.each([
    ['models', 'one', 'two', 'm'],
    ['groups', 'vip', 'svip', 'default'],
    ['priority', 1, 2, 0],
    ['weight', 1, 2, 0],
  ])(
    'their %s saved by one are not overwritten by another who began before',
    async (name, first, second, seen) => {
      const { tag } = await tagged();
      const was = { models: 'm', groups: 'default', priority: 0, weight: 0 };
      expect(was).toMatchObject({ [name]: seen });
      expect((await edit(scene.asRoot, tag, { [name]: first, was })).message).toBe('');
      const late = await edit(other, tag, { [name]: second, was });
      expect([codeOf(late), late.message]).toEqual(['changed_meanwhile', expect.stringContaining(name)]);
      expect((await edit(other, tag, { [name]: second, was: { ...was, [name]: first } })).message).toBe('');
      expect((await edit(scene.asRoot, tag, { [name]: second, was })).message).toBe('');
    },
  );

  it('are always changed for a caller that does not send the values it read', async () => {
    const { tag } = await tagged();
    expect((await edit(scene.asRoot, tag, { models: 'one' })).message).toBe('');
    expect((await edit(other, tag, { models: 'two' })).message).toBe('');
  });

  it('keep the tag that one gave them, and another who saw them without it is told', async () => {
    const ids = [await channel(), await channel()];
    const give = (as: Caller, tag: string | null, seen: string | null) =>
      as('/api/channel/batch/tag', {
        method: 'POST',
        body: { ids, tag, was: ids.map((id) => ({ id, tag: seen })) },
        ...said,
      });
    expect((await give(scene.asRoot, 'first', null)).data).toBe(2);
    expect(codeOf(await give(other, 'second', null))).toBe('changed_meanwhile');
    expect((await give(other, 'first', null)).data).toBe(2);
    expect((await give(other, null, 'first')).data).toBe(2);
    const tags = await Promise.all(ids.map(read));
    expect(tags.map(({ tag }) => tag)).toEqual([null, null]);
  });

  it('are saved by exactly one of many who save at one instant', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { tag, ids } = await tagged();
      const saved = await Promise.all(
        ['one', 'two', 'three', 'four'].map((models, at) =>
          edit(at % 2 === 0 ? scene.asRoot : other, tag, { models, was: { models: 'm' } }),
        ),
      );
      const won = saved.flatMap(({ success }, at) => (success === true ? [at] : []));
      expect(won).toHaveLength(1);
      const rows = await Promise.all(ids.map(read));
      const models = ['one', 'two', 'three', 'four'][won[0] ?? 9];
      expect(rows.map((row) => row['models'])).toEqual([models, models]);
    }
  });
});
