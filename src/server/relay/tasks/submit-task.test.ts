import { afterEach, expect, it, vi } from 'vitest';
import { initialOptions, type OptionValues } from '#contract/options.ts';
import { buildRouting } from '#core/channel/build-routing.ts';
import type { ChannelRow } from '#core/channel/channel.ts';
import { channelRowOf } from '#core/channel/testing/channel.ts';
import { AppError } from '#core/error.ts';
import type { OutboundReply } from '#core/outbound.ts';
import { Secret } from '#core/secret.ts';
import type { CallLog } from '#core/log/log.ts';
import type { Task } from '#core/task/task.ts';
import type { User } from '#core/user/user.ts';
import { ChannelHealth } from '../route/channel-health.ts';
import { KeyUses } from '../route/key-uses.ts';
import { openSeatRoom } from '#core/channel/seat-room.ts';
import { ShareWindows } from '#core/channel/share-window.ts';
import { LivePulses } from '../route/live-pulses.ts';
import { SeatRooms } from '../route/seat-rooms.ts';
import type { Submission } from './dispatch-task.ts';
import { submitTask } from './submit-task.ts';
import type { TaskDeps } from './task-ports.ts';

const options: OptionValues = { ...initialOptions, RetryTimes: 3, AutomaticDisableChannelEnabled: true };
const row = (id: number): ChannelRow =>
  channelRowOf(id, { type: 2, baseUrl: 'https://draws.example', models: 'mj_imagine', priority: -id });

/** Two channels, the first asked first; `answers` say what each of their answers is, in turn. */
const stage = (answers: readonly (number | AppError)[], status = 200, modelPrice = 0.1) => {
  const routing = buildRouting({
    version: 1,
    priceVersion: 1,
    options: { ...options, ModelPrice: { mj_imagine: modelPrice } },
    catalogue: { find: () => undefined },
    rows: [row(1), row(2)],
    openKey: () => new Secret('k'),
  });
  const asked: number[] = [];
  const closed: string[] = [];
  const disabled: number[] = [];
  const failed: number[] = [];
  const rows: Record<string, unknown>[] = [];
  const written: object[] = [];
  const database = { failures: 0 };
  const deps = {
    tasks: {
      create: async () => 1,
      update: async (_id: number, changes: object) => {
        if (database.failures-- > 0) throw new AppError('unavailable', 'the database is not available');
        written.push(changes);
        return true;
      },
      finish: async () => undefined,
      forget: async () => undefined,
    },
    ledger: {
      hold: async () => 'held',
      settle: async () => {
        closed.push('charged');
        return { state: 'closed' };
      },
      void: async (_id: string, _nowMs: number, log: CallLog) => {
        closed.push('given back');
        rows.push(JSON.parse(log.other) as Record<string, unknown>);
        return { state: 'closed' };
      },
    },
    routing: () => routing,
    sender: {
      send: async (): Promise<OutboundReply> => {
        const answer = answers[asked.length - 1];
        if (typeof answer !== 'number') throw answer ?? new Error('asked too often');
        const body = (async function* () {
          yield Buffer.from(String(answer));
        })();
        return { status, headers: {}, body: Object.assign(body, { discard: () => {} }) };
      },
    },
    channels: {
      autoDisable: (id: number) => void disabled.push(id),
      seen: () => {},
      soldBelowCost: () => {},
    },
    modelRates: {
      begin: () => ({ state: 'allowed', limit: 0, remaining: 0, resetMs: 0 }),
      giveBack: () => {},
      succeeded: () => {},
    },
    checkWords: () => {},
    health: new ChannelHealth(),
    keyUses: new KeyUses({ now: () => 1, monotonic: () => 1 }, async () => false),
    pulses: new LivePulses(),
    rooms: new SeatRooms(openSeatRoom, { monotonic: () => 1 }),
    retries: new ShareWindows(20),
    metrics: { attemptFailed: (id: number) => void failed.push(id) },
    availability: { note: () => {} },
    clock: { now: () => 1, monotonic: () => 1 },
    random: { unit: () => 0, alphanumeric: () => 'public' },
    log: { info: () => {}, warn: () => {}, error: () => {} },
  } as unknown as TaskDeps;
  const submission: Submission = {
    platform: 'mj',
    types: new Set([2]),
    model: 'mj_imagine',
    action: 'IMAGINE',
    prompt: '',
    state: '',
    notifyHook: '',
    reachedAt: '',
    origin: undefined,
    call: { headers: {}, signal: new AbortController().signal },
    body: {},
    given: {},
    request: (channel) => {
      asked.push(channel.id);
      return { method: 'POST', url: channel.baseUrl, headers: {} };
    },
    // 1 is taken; 23 is a full queue, 3 nobody to draw, 4 a mistake of the caller's.
    read: (answered, code) =>
      code === 1
        ? { kind: 'accepted', upstreamId: '17', code: 1, answer: (id) => id }
        : {
            kind: 'refused',
            status: answered,
            code: Number(code),
            message: `code ${String(code)}`,
            answer: code,
            ...(answered < 400 && { isWorthAnother: code !== 4 }),
            isExhausted: code === 3,
          },
  };
  const user = { id: 1, username: 'ada', group: 'default' } as User;
  const submit = (origin?: Task) =>
    submitTask(deps, { user, token: undefined, channelId: undefined }, { ...submission, origin });
  return { submit, asked, closed, disabled, failed, rows, written, database };
};

it('a full queue leads to the next channel, and an accepted task keeps its hold', async () => {
  const { submit, asked, closed, disabled } = stage([23, 1]);
  expect(await submit()).toBe('public');
  expect([asked, closed, disabled]).toEqual([[1, 2], [], []]);
});

afterEach(() => void vi.useRealTimers());

it.each([1, 5, 40])(
  'a task that its upstream has accepted is recorded, also where the database fails %i times',
  async (failures) => {
    vi.useFakeTimers();
    const { submit, closed, written, database } = stage([1]);
    database.failures = failures;
    const answer = submit();
    await vi.advanceTimersByTimeAsync(60_000);
    // The caller does not wait forever.
    expect(await answer).toBe('public');
    await vi.advanceTimersByTimeAsync(600_000);
    expect(written).toMatchObject([{ upstreamId: '17', status: 'SUBMITTED' }]);
    expect(closed).toEqual([]);
  },
);

it('after a timeout no other channel is asked, because the task may have been accepted, and the hold is given back', async () => {
  const { submit, asked, closed } = stage([new AppError('upstream_timeout', 'too long'), 1]);
  await expect(submit()).rejects.toThrow('the upstream failed: too long');
  expect([asked, closed]).toEqual([[1], ['given back']]);
});

it("a caller's mistake is not retried on another channel", async () => {
  const { submit, asked, closed } = stage([4, 1]);
  expect(await submit()).toBe(4);
  expect([asked, closed]).toEqual([[1], ['given back']]);
});

it('a channel without an account left is disabled and the next one asked', async () => {
  const { submit, asked, disabled } = stage([3, 1]);
  expect(await submit()).toBe('public');
  expect([asked, disabled]).toEqual([[1, 2], [1]]);
});

it('a channel whose key is refused is disabled too', async () => {
  const { submit, asked, disabled } = stage([5, 5], 401);
  await submit();
  expect([asked, disabled]).toEqual([
    [1, 2],
    [1, 2],
  ]);
  const fine = stage([5, 5], 503);
  await fine.submit();
  expect(fine.disabled).toEqual([]);
});

it('a task that costs more than any balance is refused, and not sent', async () => {
  const { submit, asked } = stage([1], 200, 1e12);
  await expect(submit()).rejects.toMatchObject({ code: 'insufficient_quota' });
  expect(asked).toEqual([]);
});

/** No connection was made: the upstream has read nothing. */
const lost = new AppError('upstream_failed', 'no connection', { isUnsent: true });

it('after a connection that broke once the task was sent no other channel is asked: it may have been accepted', async () => {
  const { submit, asked, closed, rows } = stage([new AppError('upstream_failed', 'the connection broke'), 1]);
  await expect(submit()).rejects.toMatchObject({ code: 'upstream_failed', isUnsent: false });
  expect([asked, closed]).toEqual([[1], ['given back']]);
  expect(rows).toMatchObject([{ admin_info: { attempts: [{ channel: 1, error: 'the connection broke' }] } }]);
});

it.each([
  [500, [1, 2]],
  [503, [1, 2]],
  [429, [1, 2]],
  [504, [1]],
  [524, [1]],
  [400, [1]],
  [422, [1]],
])('a task refused with status %i is offered to channels %j', async (status, expected) => {
  const { submit, asked, closed } = stage([6, 6], status);
  await submit();
  expect([asked, closed]).toEqual([expected, ['given back']]);
});

it("a task's log row lists every channel it was offered to, with the result", async () => {
  const { submit, rows } = stage([lost, 4]);
  await submit();
  expect(rows).toEqual([
    expect.objectContaining({
      group: 'default',
      admin_info: {
        use_channel: ['1', '2'],
        attempts: [
          { channel: 1, status: 0, ms: 0, error: 'no connection' },
          { channel: 2, status: 0, ms: 0, error: 'code 4' },
        ],
        decision: { group: 'default', left_out: [[1, 'tried']] },
      },
    }),
  ]);
});

it('a channel that keeps failing cools down, and tasks pass it over as calls do', async () => {
  const rounds = Array.from({ length: 5 }, () => [lost, 1]).flat();
  const { submit, asked, failed } = stage([...rounds, 1]);
  for (let count = 0; count < 6; count += 1) await submit();
  expect(asked).toEqual([1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 2]);
  expect(failed).toEqual([1, 1, 1, 1, 1]);
});

it("callers' mistakes cool no channel down", async () => {
  const { submit, asked } = stage([4, 4, 4, 4, 4, 1]);
  for (let count = 0; count < 6; count += 1) await submit();
  expect(asked).toEqual([1, 1, 1, 1, 1, 1]);
});

it("a task that continues another goes to that task's channel and no other", async () => {
  const { submit, asked, closed } = stage([lost, 1]);
  await expect(submit({ channelId: 2, group: 'default' } as Task)).rejects.toThrow('no connection');
  expect([asked, closed]).toEqual([[2], ['given back']]);
});
