import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { logType } from '#contract/codes.ts';
import { taskHoldId } from '#core/task/task.ts';
import { taskLog } from '#core/task/task-log.ts';
import { allChannels } from '#core/channel/testing/all-channels.ts';
import { listening } from '../../outbound/testing/local-server.ts';
import { brokenRules } from '../../store/testing/broken-rules.ts';
import { idOf, openTaskScene, TASK_COST, type TaskScene } from '../../http/testing/task-scene.ts';

/** Drawings against a fake upstream of its own process. A task costs 0.1 USD: 50 000 units. */

let tasks: TaskScene;
beforeAll(async () => {
  tasks = await openTaskScene();
});
afterAll(() => tasks.close());

const send: TaskScene['send'] = (...sent) => tasks.send(...sent);
const imagine: TaskScene['imagine'] = (...sent) => tasks.imagine(...sent);
const taskOf: TaskScene['taskOf'] = (id) => tasks.taskOf(id);
const poll = () => tasks.poll();
const money = () => tasks.money();
const audit = () => brokenRules(tasks.scene.server.parts.stores.database);
describe('a drawing', () => {
  it('is held while it is made, and charged once when it succeeds, to user and token', async () => {
    const before = await money();
    const answer = await imagine('a red fox');
    expect(answer).toMatchObject({ status: 200, body: { code: 1, description: 'success' } });
    expect(idOf(answer)).toMatch(/^[0-9A-Za-z]{24}$/);
    expect(await money()).toEqual({
      ...before,
      user: before.user - TASK_COST,
      token: before.token - TASK_COST,
      held: TASK_COST,
    });
    expect(await taskOf(idOf(answer))).toMatchObject({ status: 'SUBMITTED', action: 'IMAGINE' });
    await poll();
    expect(await taskOf(idOf(answer))).toMatchObject({ status: 'IN_PROGRESS', progress: '45%' });
    await Promise.all([poll(), poll()]);
    await poll();
    const done = await taskOf(idOf(answer));
    expect(done).toMatchObject({ status: 'SUCCESS', progress: '100%', prompt: 'a red fox' });
    expect(await money()).toEqual({
      user: before.user - TASK_COST,
      used: before.used + TASK_COST,
      token: before.token - TASK_COST,
      held: 0,
    });
    expect(done['imageUrl']).toBe(`${tasks.scene.server.url}/mj/image/${idOf(answer)}`);
    const picture = await fetch(String(done['imageUrl']));
    expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/png']);
    expect(picture.headers.get('x-content-type-options')).toBe('nosniff');
    expect((await picture.arrayBuffer()).byteLength).toBeGreaterThan(500);
    expect(await audit()).toEqual([]);
  });

  it('that fails is given back in full, and cannot succeed later', async () => {
    const before = await money();
    const id = idOf(await imagine('flip a coin'));
    await poll();
    await poll();
    await poll();
    expect(await taskOf(id)).toMatchObject({
      status: 'FAILURE',
      failReason: 'the fake upstream was told to fail',
    });
    expect(await money()).toEqual(before);
    expect(await audit()).toEqual([]);
  });

  it.each([
    ['is refused by the upstream', 'banned things', 200, { code: 24, description: 'banned prompt' }],
    ['meets a broken upstream', 'broken thing', 502, { type: 'upstream_error', code: 4 }],
    ['finds nobody to draw', 'nobody there', 200, { code: 3 }],
    ['has no prompt', ' ', 400, { description: 'prompt is needed' }],
  ])('that %s costs nothing', async (_case, prompt, status, body) => {
    const before = await money();
    expect(await imagine(prompt)).toMatchObject({ status, body });
    expect(await money()).toEqual(before);
  });

  it('that is queued is answered as submitted', async () => {
    expect((await imagine('queued cat')).body).toMatchObject({ code: 1 });
    const waiting = await tasks.scene.server.parts.stores.tasks.page(
      { platform: 'mj', userId: tasks.alice.id },
      { page: 1, pageSize: 1 },
    );
    expect(waiting.items[0]?.code).toBe(22);
  });

  it("can only continue one's own successful task, at the channel that made it", async () => {
    const id = idOf(await imagine('a house'));
    const early = await send('/mj/submit/change', { taskId: id, action: 'UPSCALE', index: 1 });
    expect([early.status, early.body['description']]).toEqual([400, 'the original task has not succeeded']);
    await poll();
    await poll();
    const upscale = await send('/mj-fast/mj/submit/simple-change', { content: `${id} U2` });
    expect(upscale.body).toMatchObject({ code: 1 });
    expect(await taskOf(idOf(upscale))).toMatchObject({ action: 'UPSCALE' });
    const theirs = await send(
      '/mj/submit/change',
      { taskId: id, action: 'VARIATION', index: 1 },
      { authorization: `Bearer ${tasks.bobKey}` },
    );
    expect([theirs.status, theirs.body['description']]).toEqual([400, 'task not found']);
  });

  it('costs nothing while it waits for a mask, and is charged with it', async () => {
    const id = idOf(await imagine('a lake'));
    await poll();
    await poll();
    const before = await money();
    const asked = await send('/mj/submit/action', { taskId: id, customId: 'MJ::Inpaint::1::abc::SOLO' });
    expect(asked.body).toMatchObject({ code: 21 });
    await poll();
    expect(await taskOf(idOf(asked))).toMatchObject({ status: 'MODAL', action: 'INPAINT' });
    expect((await money()).user).toBe(before.user);
    const modal = await send('/mj/submit/modal', { taskId: idOf(asked), prompt: 'a boat', maskBase64: 'x' });
    expect(modal.body).toMatchObject({ code: 1 });
    expect((await money()).user).toBe(before.user - TASK_COST);
  });

  it('stored pictures are done at once', async () => {
    const before = await money();
    const stored = await send('/mj/submit/upload-discord-images', {
      base64Array: ['data:image/png;base64,AA'],
    });
    expect(stored.body).toMatchObject({ code: 1, result: ['https://cdn.example/1.png'] });
    expect((await money()).used).toBe(before.used + TASK_COST / 2);
  });

  it('of another user cannot be fetched, listed or notified about', async () => {
    const answer = await imagine('stuck secret');
    const id = idOf(answer);
    const bob = { authorization: `Bearer sk-${tasks.bobKey}` };
    expect((await send(`/mj/task/${id}/fetch`, undefined, bob)).status).toBe(404);
    expect((await send('/mj/task/list-by-condition', { ids: [id] }, bob)).body).toEqual([]);
    expect((await send('/mj/task/list-by-condition', { ids: [id] })).body).toMatchObject([{ id }]);
    const upstreamId = (await tasks.scene.server.parts.stores.tasks.byPublicId(id))?.upstreamId ?? '';
    const forged = { id: upstreamId, status: 'SUCCESS', imageUrl: 'https://evil.example/x.png' };
    expect((await send('/mj/notify', forged, bob)).status).toBe(404);
    expect((await send('/mj/notify', { ...forged, status: 'FAILURE' })).status).toBe(200);
    // A callback is believed nothing: the upstream says it is being drawn.
    expect(await taskOf(id)).toMatchObject({ status: 'IN_PROGRESS', imageUrl: '' });
    expect((await send('/mj/task/none/fetch', undefined, {})).status).toBe(401);
  });

  it('a hundred callbacks at once charge it once', async () => {
    const before = await money();
    const id = idOf(await imagine('a bridge'));
    const upstreamId = (await tasks.scene.server.parts.stores.tasks.byPublicId(id))?.upstreamId ?? '';
    await Promise.all(Array.from({ length: 100 }, () => send('/mj/notify', { id: upstreamId })));
    expect(await taskOf(id)).toMatchObject({ status: 'SUCCESS' });
    expect((await money()).used).toBe(before.used + TASK_COST);
    expect(await audit()).toEqual([]);
  });

  it.each([
    ['charged', 'fail after that', 'SUCCESS', TASK_COST],
    ['given back', 'a late heron', 'FAILURE', 0],
  ])(
    'that was %s by a node that then died ends like that, whatever the upstream says',
    async (how, prompt, status, paid) => {
      // What others began ends first.
      for (let at = 0; at < 2; at += 1) await poll();
      const before = await money();
      const id = idOf(await imagine(prompt));
      const { ledger, tasks: store } = tasks.scene.server.parts.stores;
      const task = await store.byPublicId(id);
      if (task === undefined) throw new Error('no such task');
      const closing = { nowMs: Date.now(), content: '', quotaUnits: TASK_COST };
      if (how === 'charged') {
        const log = taskLog(task, { ...closing, type: logType.consume });
        await ledger.settle({ id: log.requestId, ...closing, log, writeLog: true });
      } else await ledger.void(taskHoldId(id), closing.nowMs);
      await poll();
      await poll();
      expect(await taskOf(id)).toMatchObject({ status, progress: '100%' });
      expect((await store.byPublicId(id))?.quotaUnits).toBe(paid);
      expect(await money()).toMatchObject({ user: before.user - paid, used: before.used + paid });
      expect(await audit()).toEqual([]);
    },
  );

  it('of its picture only the kind is told, and no other words of who serves it', async () => {
    const id = idOf(await imagine('a jay'));
    for (let at = 0; at < 3; at += 1) await poll();
    const pictures = createServer((_, response) => {
      response.writeHead(200, { 'content-type': 'image/png; name=sk-canary-channel-key' }).end('PNG');
    });
    await listening(pictures);
    const { port } = pictures.address() as AddressInfo;
    await tasks.scene.server.parts.stores.database.writer
      .updateTable('tasks')
      .set({ image_url: `http://127.0.0.1:${port}/a.png` })
      .where('public_id', '=', id)
      .execute();
    const got = await fetch(`${tasks.scene.server.url}/mj/image/${id}`);
    expect([got.status, got.headers.get('content-type'), await got.text()]).toEqual([
      200,
      'image/png',
      'PNG',
    ]);
    pictures.close();
  });

  it('is refused without quota, and leaves no task', async () => {
    const { user: poor, key: poorKey } = await tasks.scene.spender('poor', 0, 1000);
    const got = await send('/mj/submit/imagine', { prompt: 'x' }, { 'mj-api-secret': poorKey });
    expect(got.status).toBe(403);
    expect(got.body['description']).toContain('insufficient user quota: at least $0.10 is held');
    const page = { page: 1, pageSize: 10 };
    expect(
      (await tasks.scene.server.parts.stores.tasks.page({ platform: 'mj', userId: poor.id }, page)).total,
    ).toBe(0);
  });
});

it('a task survives a restart; one that is too old, or whose channel is gone, is given back', async () => {
  const before = await money();
  const id = idOf(await imagine('a comet'));
  await tasks.restart();
  expect((await money()).user).toBe(before.user - TASK_COST);
  await poll();
  await poll();
  expect(await taskOf(id)).toMatchObject({ status: 'SUCCESS' });
  const stuck = idOf(await imagine('stuck star'));
  await tasks.scene.server.parts.stores.database.writer
    .updateTable('tasks')
    .set({ created_at: Date.now() - 3_700_000 })
    .where('status', 'not in', ['SUCCESS', 'FAILURE'])
    .execute();
  await poll();
  expect(await taskOf(stuck)).toMatchObject({ status: 'FAILURE', failReason: 'upstream timeout' });
  const lost = idOf(await imagine('stuck moon'));
  for (const row of await allChannels(tasks.scene.server.parts.stores.channels))
    await tasks.scene.server.parts.channels.delete(tasks.root, row.id);
  await poll();
  expect(await taskOf(lost)).toMatchObject({
    status: 'FAILURE',
    failReason: 'the channel of the task is gone',
  });
  expect((await money()).held).toBe(0);
  expect(await audit()).toEqual([]);
  expect(tasks.log.lines.filter((line) => line.includes('"level":"error"'))).toEqual([]);
});
