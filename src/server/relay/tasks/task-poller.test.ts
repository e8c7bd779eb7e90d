import { expect, it } from 'vitest';
import { initialOptions } from '#contract/options.ts';
import { buildRouting } from '#core/channel/build-routing.ts';
import { channelRowOf } from '#core/channel/testing/channel.ts';
import type { Ledger } from '#core/ledger/ledger.ts';
import type { OutboundReply, OutboundRequest } from '#core/outbound.ts';
import { Secret } from '#core/secret.ts';
import type { Task, TaskStore } from '#core/task/task.ts';
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
  const now = { wallMs: STARTED_MS, monotonicMs: 5, isAway: false, task, beside: [] as readonly Task[] };
  const failed: string[] = [];
  const updated: number[] = [];
  const poller = createTaskPoller(
    standIn<TaskDeps>({
      tasks: standIn<TaskStore>({
        unfinished: async (limit, afterId) => {
          if (now.isAway) throw new Error('away');
          const open = failed.length === 0 ? [...now.beside, now.task] : [];
          return open.filter(({ id }) => id > afterId).slice(0, limit);
        },
        update: async (id) => updated.push(id) > 0,
        finish: async () => undefined,
      }),
      ledger: standIn<Ledger>({
        void: async (id, _, log) => {
          if (id.endsWith(STUCK)) throw new Error('cannot be written');
          failed.push(log?.content ?? '');
          return { state: 'closed', chargedUnits: 0, houseLossUnits: 0, userQuotaUnits: 0 };
        },
      }),
      availability: standIn<TaskDeps['availability']>({ note: () => {} }),
      routing: () => routing,
      sender: {
        send: async ({ body: sent }: OutboundRequest): Promise<OutboundReply> => {
          const { ids } = JSON.parse(sent as string) as { readonly ids: readonly string[] };
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

it('a clock that is put forward fails no task that its upstream still makes', async () => {
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

it('who has sent a task has a minute to write it down once the database is back, however long it was away', async () => {
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

it('a task nobody writes down is given back a minute after the database is back', async () => {
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

it('a channel is asked about all of its tasks, not only about those that fit into one question', async () => {
  const { now, updated, runFor } = stage(taskOf({ id: 1200 }));
  now.beside = Array.from({ length: 1199 }, (_, at) => taskOf({ id: at + 1 }));
  await runFor(15_000);
  expect(updated).toHaveLength(1200);
});
