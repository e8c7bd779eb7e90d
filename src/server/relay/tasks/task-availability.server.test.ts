import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTaskScene, type TaskScene } from '../../http/testing/task-scene.ts';

/** Tasks count for the availability of their models, as calls do. */

let tasks: TaskScene;
beforeAll(async () => {
  tasks = await openTaskScene();
  const { scene } = tasks;
  await scene.set('availability_setting.least_calls', 5);
  await scene.set('availability_setting.least_callers', 2);
  await scene.set('availability_setting.enabled', true);
});
afterAll(() => tasks.close());

/** Ended tasks of a model, by how they ended: what is written so far. */
const ends = async (model: string) => {
  const { relay, stores } = tasks.scene.server.parts;
  await relay.parts.availability.flush();
  const rows = await stores.database.reader
    .selectFrom('model_availability')
    .select(['measure', 'calls'])
    .where('model', '=', model)
    .where('stretch', '=', 3600)
    .execute();
  const sum = (measure: string) =>
    rows.filter((row) => row.measure === measure).reduce((total, { calls }) => total + Number(calls), 0);
  return { answered: sum('answered'), failed: sum('failed') };
};

it('a finished task counts as answered, a failed or never started one as failed, once each', async () => {
  expect(await ends('mj_imagine')).toEqual({ answered: 0, failed: 0 });
  await tasks.imagine('a red fox');
  await tasks.imagine('fail');
  // Not before it is over.
  expect(await ends('mj_imagine')).toEqual({ answered: 0, failed: 0 });
  await expect
    .poll(async () => {
      await Promise.all([tasks.poll(), tasks.poll()]);
      return ends('mj_imagine');
    })
    .toEqual({ answered: 1, failed: 1 });
  await tasks.imagine('broken');
  await tasks.imagine('nobody');
  expect(await ends('mj_imagine')).toEqual({ answered: 1, failed: 3 });
});

it('a mistake of the caller says nothing about the model', async () => {
  const before = await ends('mj_imagine');
  await tasks.imagine('banned');
  await tasks.imagine('');
  await tasks.send('/mj/submit/change', { taskId: 'nowhere', action: 'UPSCALE', index: 1 });
  expect(await ends('mj_imagine')).toEqual(before);
});

it('a task whose channel is gone counts as failed', async () => {
  const { scene, root } = tasks;
  const channel = await scene.stage.channel(root, { type: 2, models: 'mj_shorten', status: 2 });
  expect(channel.id).toBeGreaterThan(0);
  const { status } = await tasks.send('/mj/submit/shorten', { prompt: 'a long prompt' });
  expect(status).toBe(503);
  expect(await ends('mj_shorten')).toEqual({ answered: 0, failed: 1 });
});

it('everybody may see it on the public page', async () => {
  const bob = { 'mj-api-secret': tasks.bobKey };
  await tasks.send('/mj/submit/imagine', { prompt: 'a blue fox' }, bob);
  await expect.poll(async () => [await tasks.poll(), (await ends('mj_imagine')).answered][1]).toBe(2);
  const reply = await fetch(`${tasks.scene.server.url}/api/availability?span=24h`);
  const { data } = (await reply.json()) as { data: { models: { model: string; percent: number }[] } };
  expect(data.models.find(({ model }) => model === 'mj_imagine')).toMatchObject({ percent: 40 });
});
