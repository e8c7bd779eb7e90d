import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OpenTasks, TaskStore } from '#core/task/task.ts';
import { drawing } from '#core/task/testing/drawing.ts';
import type { SightingStore } from '#core/channel/health/sighting.ts';
import { createLedger } from '../ledger/ledger.ts';
import { createSightingStore } from '../channels/sighting-store.ts';
import type { PostgresDatabase } from '../database/database.ts';
import { takeLease } from '../ledger/node-lease.ts';
import { createTaskStore } from './task-store.ts';
import { givenChannel, givenUser } from '../testing/accounts.ts';
import { engines, type TestDatabase } from '../testing/engines.ts';

const task = drawing({
  publicId: 'one',
  upstreamId: '',
  keyId: 2,
  code: 0,
  status: '',
  progress: '0%',
  prompt: 'a fox',
  finishedAtMs: 0,
  quotaUnits: 5,
  pricing: '{}',
});
const page = { page: 1, pageSize: 10 };

for (const engine of engines) {
  describe.skipIf(engine.missing !== undefined)(`tasks on ${engine.name}`, () => {
    let opened: TestDatabase;
    let tasks: TaskStore;
    let sightings: SightingStore;
    beforeAll(async () => {
      opened = await engine.create();
      tasks = createTaskStore(opened.database);
      sightings = createSightingStore(opened.database);
    });
    afterAll(() => opened.remove());

    it('a finished task does not change any more', async () => {
      const id = await tasks.create(task);
      expect(await tasks.byPublicId('one')).toEqual({ ...task, id });
      expect((await tasks.unfinished({ channelId: 1 }, 10, 0)).map(({ publicId }) => publicId)).toEqual([
        'one',
      ]);
      expect(await tasks.update(id, { upstreamId: '17', status: 'SUCCESS', progress: '100%' })).toBe(true);
      expect(await tasks.update(id, { status: 'FAILURE', quotaUnits: 0 })).toBe(false);
      expect(await tasks.byUpstreamId('17')).toMatchObject([{ status: 'SUCCESS', quotaUnits: 5 }]);
      expect(await tasks.unfinished({ channelId: 1 }, 10, 0)).toEqual([]);
    });

    it('lists belong to one user, one platform and a stretch of time', async () => {
      await tasks.create({ ...task, publicId: 'two', userId: 2, submittedAtMs: 5000 });
      const song = await tasks.create({ ...task, publicId: 'song', platform: 'suno', createdAtMs: 6000 });
      const found = async (filter: object) =>
        (await tasks.page({ platform: 'mj', ...filter }, page)).items.map(({ publicId }) => publicId);
      expect(await found({})).toEqual(['two', 'one']);
      expect(await found({ userId: 2 })).toEqual(['two']);
      expect(await found({ fromMs: 1001 })).toEqual(['two']);
      expect(await found({ toMs: 4999 })).toEqual(['one']);
      expect(await found({ channelId: 9 })).toEqual([]);
      expect(await found({ platform: 'other' })).toEqual(['song']);
      expect((await tasks.ofUser(1, ['one', 'two'])).map(({ publicId }) => publicId)).toEqual(['one']);
      await tasks.forget(song);
      expect(await found({ platform: 'other' })).toEqual([]);
    });

    it('unfinished ones are read in pages, by channel, by platform, and those no upstream has accepted', async () => {
      const made = { ...task, userId: 9, upstreamId: 'u' };
      const rows = [
        { ...made, publicId: 'p1', channelId: 31 },
        { ...made, publicId: 'p2', channelId: 32, platform: 'suno' as const },
        { ...made, publicId: 'p3', channelId: 31, upstreamId: '' },
        { ...made, publicId: 'p4', channelId: 31 },
        { ...made, publicId: 'p5', channelId: 33, status: 'FAILURE' as const },
      ];
      const ids: number[] = [];
      for (const row of rows) ids.push(await tasks.create(row));
      const [first = 0] = ids;
      const found = async (which: OpenTasks, limit = 10, afterId = first - 1) =>
        (await tasks.unfinished(which, limit, afterId)).map(({ publicId }) => publicId);
      expect(await found({ channelId: 31 })).toEqual(['p1', 'p3', 'p4']);
      expect(await found({ channelId: 31 }, 1, first)).toEqual(['p3']);
      expect(await found({ platform: 'mj' })).toEqual(['p1', 'p4']);
      expect(await found({ platform: 'suno' })).toEqual(['p2']);
      expect(await found({ unsubmitted: true })).toEqual(['p3']);
      expect(await tasks.channelsAtWork()).toEqual([1, 31, 32]);
      for (const id of ids) await tasks.finish(id, { status: 'FAILURE' });
      expect(await tasks.channelsAtWork()).toEqual([1]);
    });

    it('the hold of a task outlives the run that made it, and ends with its time', async () => {
      const ledger = createLedger(opened.database);
      const userId = await givenUser(opened.database, ledger, 100);
      const hold = { userId, tokenId: null, quotaUnits: 0, nowMs: 1, expiresAtMs: 1000 };
      await ledger.hold({ ...hold, id: 'task-one' });
      await ledger.hold({ ...hold, id: 'a-call' });
      expect(await ledger.resolveAbandoned({ createdBeforeMs: 500, expiredAtMs: 500 })).toBe(1);
      expect((await ledger.void('task-one', 600)).state).toBe('closed');
      await ledger.hold({ ...hold, id: 'task-two' });
      expect(await ledger.resolveAbandoned({ createdBeforeMs: 0, expiredAtMs: 1000 })).toBe(1);
      await ledger.close();
    });

    it('sightings add up, and go with their channel', async () => {
      const channelId = await givenChannel(opened.database);
      const seen = { group: 'vip', clientType: 'curl', count: 2, firstSeenMs: 10, lastSeenMs: 20 };
      await sightings.add([{ ...seen, channelId }]);
      await sightings.add([{ ...seen, channelId, count: 3, firstSeenMs: 30, lastSeenMs: 40 }]);
      await sightings.add([{ ...seen, channelId: 9999 }]);
      expect(await sightings.ofChannel(channelId)).toEqual([
        { ...seen, channelId, count: 5, lastSeenMs: 40 },
      ]);
      await sightings.deleteOrphans();
      expect(await sightings.ofChannel(9999)).toEqual([]);
      expect(await sightings.ofChannel(channelId)).toHaveLength(1);
    });

    it('keeps and finds a task with characters that no database stores, with placeholders', async () => {
      const odd = { ...task, publicId: 'odd', userId: 3, prompt: 'cat\0', state: '\uD83D' };
      const id = await tasks.create(odd);
      expect(await tasks.update(id, { upstreamId: 'r\0\uD83D', failReason: 'f\0' })).toBe(true);
      expect(await tasks.byUpstreamId('r\0\uD83D')).toMatchObject([
        { prompt: 'cat\uFFFD', state: '\uFFFD', upstreamId: 'r\uFFFD\uFFFD', failReason: 'f\uFFFD' },
      ]);
      await tasks.finish(id, { status: 'FAILURE' });
    });
  });
}

const postgres = engines.find(({ name }) => name === 'postgres');
describe.skipIf(postgres?.missing !== undefined)('channels of tasks, of two nodes on one PostgreSQL', () => {
  it('are asked by one of them at a time, and by the other once that one is done or dead', async () => {
    const opened = await postgres!.create();
    const [here, there] = [opened.database, await opened.openAgain()] as PostgresDatabase[] as [
      PostgresDatabase,
      PostgresDatabase,
    ];
    const leases = await Promise.all([here, there].map((node) => takeLease(node, { now: () => 1 })));
    const [tasksHere, tasksThere] = [createTaskStore(here), createTaskStore(there)];
    const both = () => Promise.all([tasksHere.takeChannel(7), tasksThere.takeChannel(7)]);
    for (let round = 0; round < 20; round += 1) {
      expect((await both()).filter(Boolean)).toHaveLength(1);
      await Promise.all([tasksHere.giveBackChannel(7), tasksThere.giveBackChannel(7)]);
    }
    expect(await tasksThere.takeChannel(7)).toBe(true);
    expect(await tasksThere.takeChannel(7)).toBe(true);
    await tasksHere.giveBackChannel(7);
    expect(await tasksHere.takeChannel(7)).toBe(false);
    expect(await tasksHere.takeChannel(8)).toBe(true);
    await leases[1]?.leave();
    expect(await tasksHere.takeChannel(7)).toBe(true);
    await there.close();
    await opened.remove();
  });
});
