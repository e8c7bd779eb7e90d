import { expect, it } from 'vitest';
import { optionTable, type OptionValues } from '#contract/options.ts';
import { buildRouting } from '#core/channel/build-routing.ts';
import type { ChannelRow } from '#core/channel/channel.ts';
import { channelRowOf } from '#core/channel/testing/channel.ts';
import { AppError } from '#core/error.ts';
import type { OutboundReply } from '#core/outbound.ts';
import { Secret } from '#core/secret.ts';
import type { User } from '#core/user/user.ts';
import type { Submission } from './submission.ts';
import { submitTask } from './submit-task.ts';
import type { TaskDeps } from './task-ports.ts';

const options = {
  ...Object.fromEntries(Object.entries(optionTable).map(([key, option]) => [key, option.initial])),
  RetryTimes: 3,
  AutomaticDisableChannelEnabled: true,
} as unknown as OptionValues;
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
  const deps = {
    tasks: { create: async () => 1, update: async () => true, forget: async () => undefined },
    ledger: {
      hold: async () => 'held',
      settle: async () => void closed.push('charged'),
      void: async () => void closed.push('given back'),
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
    channels: { autoDisable: (id: number) => void disabled.push(id), seen: () => {} },
    modelRates: {
      begin: () => ({ state: 'allowed', limit: 0, remaining: 0, resetMs: 0 }),
      giveBack: () => {},
      succeeded: () => {},
    },
    checkWords: () => {},
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
    userAgent: undefined,
    given: {},
    request: (channel) => {
      asked.push(channel.id);
      return { method: 'POST', url: channel.baseUrl, headers: {} };
    },
    // 1 is taken; 23 is a full queue, 3 nobody to draw, 4 a mistake of the caller's.
    read: (answered, code) =>
      code === 1
        ? { kind: 'taken', upstreamId: '17', code: 1, answer: (id) => id }
        : {
            kind: 'refused',
            status: answered,
            code: Number(code),
            message: `code ${String(code)}`,
            answer: code,
            isWorthAnother: code !== 4,
            isExhausted: code === 3,
          },
  };
  const user = { id: 1, username: 'ada', group: 'default' } as User;
  const submit = () => submitTask(deps, { user, token: undefined, channelId: undefined }, submission);
  return { submit, asked, closed, disabled };
};

it('a full queue sends it to the next channel, and what one took is not given back', async () => {
  const { submit, asked, closed, disabled } = stage([23, 1]);
  expect(await submit()).toBe('public');
  expect([asked, closed, disabled]).toEqual([[1, 2], [], []]);
});

it('an upstream that took too long may have taken it: nobody else is asked, and it is given back', async () => {
  const { submit, asked, closed } = stage([new AppError('upstream_timeout', 'too long'), 1]);
  await expect(submit()).rejects.toThrow('the upstream failed: too long');
  expect([asked, closed]).toEqual([[1], ['given back']]);
});

it("a caller's mistake is nobody else's business", async () => {
  const { submit, asked, closed } = stage([4, 1]);
  expect(await submit()).toBe(4);
  expect([asked, closed]).toEqual([[1], ['given back']]);
});

it('a channel with nobody left to draw is switched off and the next one asked', async () => {
  const { submit, asked, disabled } = stage([3, 1]);
  expect(await submit()).toBe('public');
  expect([asked, disabled]).toEqual([[1, 2], [1]]);
});

it('a channel whose key is refused is switched off too', async () => {
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

it('a task dearer than any balance is refused, and not drawn for nothing', async () => {
  const { submit, asked } = stage([1], 200, 1e12);
  await expect(submit()).rejects.toMatchObject({ code: 'insufficient_quota' });
  expect(asked).toEqual([]);
});
