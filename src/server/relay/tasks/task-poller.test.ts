import { expect, it } from 'vitest';
import { initialOptions } from '#contract/options.ts';
import { buildRouting } from '#core/channel/testing/build-routing.ts';
import { channelRowOf } from '#core/channel/testing/channel.ts';
import type { Ledger } from '#core/ledger/ledger.ts';
import type { OutboundReply, OutboundRequest } from '#core/outbound/outbound.ts';
import { Secret } from '#core/secrets/secret.ts';
import type { OpenTasks, Task, TaskStore } from '#core/task/task.ts';
import { standIn } from '#core/testing/stand-in.ts';
import type { TaskDeps } from './task-ports.ts';
import { createTaskPoller } from './task-poller.ts';

/** Which tasks a poller gives up, by the clock and by what it has seen of them. */

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const STARTED_MS = 1000 * HOUR_MS;
const STUCK = 'stuck';
/** What a channel that never answers calls its tasks. */
const DEAD = 'dead';

const taskOf = (changes: Partial<Task>): Task =>
  ({
    id: 1,
    publicId: 'public',
    platform: 'mj',
    status: 'SUBMITTED',
    upstreamId: '17',
    channelId: 1,
    keyId: 0,
    pricing: '{}',
    quotaUnits: 50,
    createdAtMs: STARTED_MS,
    ...changes,
  }) as Task;

const isOneOf = (task: Task, which: OpenTasks): boolean => {
  if ('channelId' in which) return task.channelId === which.channelId;
  return 'platform' in which
    ? task.platform === which.platform && task.upstreamId !== ''
    : task.upstreamId === '';
};

/** One task that its upstream works on, a database that may be away, and clocks set by hand. */
const stage = (task: Task) => {
  const rows = [1, 2].map((id) =>
    channelRowOf(id, { type: 2, baseUrl: 'https://draws.example', models: 'mj_imagine' }),
  );
  const routing = buildRouting({
    version: 1,
    priceVersion: 1,
    options: initialOptions,
    catalogue: { find: () => undefined },
    rows,
    openKey: () => new Secret('k'),
  });
  const now = {
    wallMs: STARTED_MS,
    monotonicMs: 5,
    isAway: false,
    task,
    beside: [] as readonly Task[],
    /** Channels that another node asks. */
    elsewhere: new Set<number>(),
    /** Before an answer comes. */
    answering: async (): Promise<void> => undefined,
  };
  const failed: string[] = [];
  /** What each question named. */
  const asked: (readonly string[])[] = [];
  /** How many tasks were read at once. */
  const read: number[] = [];
  const open = (): readonly Task[] => (failed.length === 0 ? [...now.beside, now.task] : []);
  const updated: number[] = [];
  const poller = createTaskPoller(
    standIn<TaskDeps>({
      tasks: standIn<TaskStore>({
        unfinished: async (which, limit, afterId) => {
          if (now.isAway) throw new Error('away');
          const page = open().filter((one) => one.id > afterId && isOneOf(one, which));
          read.push(Math.min(page.length, limit));
          return page.slice(0, limit);
        },
        channelsAtWork: async () => {
          if (now.isAway) throw new Error('away');
          return [...new Set(open().map(({ channelId }) => channelId))];
        },
        takeChannel: async (id) => !now.elsewhere.has(id),
        giveBackChannel: async () => undefined,
        update: async (id) => updated.push(id) > 0,
        finish: async () => undefined,
      }),
      ledger: standIn<Ledger>({
        void: async (id, _, log) => {
          if (id.endsWith(STUCK)) throw new Error('cannot be written');
          failed.push(log?.content ?? '');
          return { state: 'closed', chargedUnits: 0, houseLossUnits: 0, userQuotaUnits: 0, userHeldUnits: 0 };
        },
      }),
      availability: standIn<TaskDeps['availability']>({ note: () => {} }),
      routing: () => routing,
      houseCosts: { add: async () => undefined },
      sender: {
        send: async ({ body: sent }: OutboundRequest): Promise<OutboundReply> => {
          const { ids } = JSON.parse(sent as string) as { readonly ids: readonly string[] };
          asked.push(ids);
          await now.answering();
          if (ids.includes(DEAD)) throw new Error('nobody answers');
          const body = (async function* () {
            yield Buffer.from(JSON.stringify(ids.map((id) => ({ id, status: 'IN_PROGRESS' }))));
          })();
          return { status: 200, headers: {}, body: Object.assign(body, { discard: () => {} }) };
        },
      },
      clock: { now: () => now.wallMs, monotonic: () => now.monotonicMs },
      log: { info: () => {}, warn: () => {}, error: () => {} },
    }),
  );
  return {
    now,
    failed,
    updated,
    asked,
    read,
    poller,
    /** Time passes, and the poller runs as often as its job does. */
    runFor: async (ms: number) => {
      for (let left = ms; left > 0; left -= 15_000) {
        now.wallMs += 15_000;
        now.monotonicMs += 15_000;
        await poller.run().catch(() => undefined);
      }
    },
  };
};

it('a clock that is put forward fails no task that still runs upstream', async () => {
  const { now, failed, runFor } = stage(taskOf({}));
  await runFor(10 * MINUTE_MS);
  now.wallMs += 48 * HOUR_MS;
  await runFor(10 * MINUTE_MS);
  expect(failed).toEqual([]);
  await runFor(41 * MINUTE_MS);
  expect(failed).toEqual([expect.stringContaining('upstream timeout')]);
});

it('a clock that is put forward gives back no task that is being sent', async () => {
  const { now, failed, runFor } = stage(taskOf({ upstreamId: '', status: 'NOT_START' }));
  await runFor(MINUTE_MS);
  now.wallMs += 48 * HOUR_MS;
  await runFor(3 * MINUTE_MS);
  expect(failed).toEqual([]);
  await runFor(2 * MINUTE_MS);
  expect(failed).toEqual([expect.stringContaining('the task was not submitted')]);
});

it('a task that was sent has a minute to be stored once the database is back, however long that was away', async () => {
  const { now, failed, runFor } = stage(taskOf({ upstreamId: '', status: 'NOT_START' }));
  await runFor(MINUTE_MS);
  now.isAway = true;
  await runFor(40 * MINUTE_MS);
  now.isAway = false;
  await runFor(45_000);
  expect(failed).toEqual([]);
  now.task = taskOf({});
  await runFor(5 * MINUTE_MS);
  expect(failed).toEqual([]);
});

it('a task that is never stored is refunded a minute after the database is back', async () => {
  const { now, failed, runFor } = stage(taskOf({ upstreamId: '', status: 'NOT_START' }));
  now.isAway = true;
  await runFor(2 * HOUR_MS);
  now.isAway = false;
  await runFor(2 * MINUTE_MS);
  expect(failed).toEqual([expect.stringContaining('the task was not submitted')]);
});

it('a task that cannot be written keeps no other one waiting', async () => {
  const { now, failed, runFor } = stage(taskOf({ id: 10 }));
  now.beside = Array.from({ length: 9 }, (_, at) => taskOf({ id: at + 1, publicId: STUCK }));
  await runFor(2 * HOUR_MS);
  expect(failed).toEqual([expect.stringContaining('upstream timeout')]);
});

it('tasks of a channel that never answers keep no others waiting, however many they are', async () => {
  const { now, updated, runFor } = stage(taskOf({ id: 3000, channelId: 2 }));
  now.beside = Array.from({ length: 1700 }, (_, at) => taskOf({ id: at + 1, upstreamId: DEAD }));
  await runFor(MINUTE_MS);
  expect(updated.slice(0, 1)).toEqual([3000]);
});

/** Tasks of a channel from an id on, each with an id of its own at the upstream. */
const tasksOf = (channelId: number, count: number, firstId = 1): readonly Task[] =>
  Array.from({ length: count }, (_, at) =>
    taskOf({ id: firstId + at, channelId, upstreamId: String(firstId + at) }),
  );

it('of 50,000 open tasks each is asked for once a run, and at most 500 are in memory at once', async () => {
  const { now, asked, read, updated, runFor } = stage(taskOf({ id: 50_000, upstreamId: '50000' }));
  now.beside = [...tasksOf(2, 20_000), ...tasksOf(1, 29_999, 20_001)];
  await runFor(15_000);
  expect(new Set(asked.flat()).size).toBe(50_000);
  expect(asked.flat()).toHaveLength(50_000);
  expect(Math.max(...read)).toBe(500);
  expect(updated).toHaveLength(50_000);
});

it('a state that is already stored is not written again', async () => {
  const told = { progress: '0%', promptEn: '', description: '', imageUrl: '', failReason: '' };
  const known = { ...told, status: 'IN_PROGRESS', buttons: '', properties: '' } as const;
  const { updated, asked, runFor } = stage(taskOf(known));
  await runFor(30_000);
  expect([asked, updated]).toEqual([[['17'], ['17']], []]);
});

it('a slow channel has ten seconds a run, goes on where it stopped, and keeps no other waiting', async () => {
  const { now, asked, runFor } = stage(taskOf({ id: 9000, channelId: 2, upstreamId: '9000' }));
  now.beside = tasksOf(1, 1500);
  now.answering = async () => void (now.monotonicMs += 4000);
  const firsts = (from: number) => asked.slice(from).map(([first]) => first);
  await runFor(15_000);
  expect(new Set(firsts(0))).toEqual(new Set(['1', '501', '9000']));
  const before = asked.length;
  await runFor(15_000);
  expect(new Set(firsts(before))).toEqual(new Set(['1001', '9000']));
});

it('tasks for which a channel never answers keep its others waiting for one run only', async () => {
  const { now, asked, runFor } = stage(taskOf({ id: 9000, upstreamId: '9000' }));
  now.beside = Array.from({ length: 500 }, (_, at) => taskOf({ id: at + 1, upstreamId: DEAD }));
  await runFor(15_000);
  expect(asked).toHaveLength(1);
  await runFor(15_000);
  expect(asked[1]).toEqual(['9000']);
});

it('a channel that another node polls is left to that node', async () => {
  const { now, asked, poller, runFor } = stage(taskOf({ id: 2, channelId: 2, upstreamId: 'other' }));
  now.beside = [taskOf({})];
  now.elsewhere.add(1);
  await runFor(15_000);
  await poller.poll(now.beside);
  expect(asked).toEqual([['other']]);
});

it('no task is asked for twice at once, though the poller and a callback want it at the same moment', async () => {
  const { now, asked, poller } = stage(taskOf({}));
  let running = 0;
  let most = 0;
  now.answering = async () => {
    running += 1;
    most = Math.max(most, running);
    await new Promise((resolve) => setImmediate(resolve));
    running -= 1;
  };
  await Promise.all([poller.run(), poller.poll([now.task]), poller.poll([now.task])]);
  expect([asked.length, most]).toEqual([3, 1]);
});

it('a channel is asked about all of its tasks, not only about those that fit into one question', async () => {
  const { now, updated, runFor } = stage(taskOf({ id: 1200 }));
  now.beside = Array.from({ length: 1199 }, (_, at) => taskOf({ id: at + 1 }));
  await runFor(15_000);
  expect(updated).toHaveLength(1200);
});
