import fc from 'fast-check';
import { expect, it } from 'vitest';
import { initialOptions } from '#contract/options.ts';
import { aliasedModel } from './aliased-model.ts';
import { awakeOf } from './keys/pool-order.ts';
import type { PoolKey } from './keys/pool.ts';
import { routingSteps } from './routing-steps.ts';
import type { ReadChannel, Routing } from './routing.ts';
import { channelOf, poolKeyOf } from './testing/channel.ts';
import { routingOf } from './testing/selecting.ts';

const common = { version: 1, priceVersion: 1, catalogue: { find: () => undefined } };

const routingAfter = (
  before: Routing,
  read: readonly ReadChannel[],
  options: Routing['options'] = initialOptions,
): Routing => {
  const steps = routingSteps({ ...common, options, read }, before);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
};

/** What each group, model and priority has, by ids, so that only the order within a list counts. */
const idsIn = ({ tiers, byModel, channels, bad }: Routing) => ({
  tiers: new Map(
    [...tiers].map(([group, models]) => [
      group,
      new Map(
        [...models].map(([model, list]) => [
          model,
          list.map((tier) => [tier.priority, tier.channels.map(({ id, weight }) => [id, weight])]),
        ]),
      ),
    ]),
  ),
  byModel,
  channels: [...channels.keys()],
  bad: bad.map(({ id }) => id),
});

const some = (...names: string[]) => fc.uniqueArray(fc.constantFrom(...names), { minLength: 0 });
const made = fc.record({
  id: fc.integer({ min: 1, max: 12 }),
  status: fc.constantFrom(1, 1, 1, 2, 3),
  priority: fc.integer({ min: 0, max: 2 }),
  weight: fc.integer({ min: 0, max: 3 }),
  models: some('a', 'b', 'c'),
  groups: some('default', 'vip'),
  isBad: fc.constantFrom(false, false, false, true),
});
const readOf = (channels: readonly (typeof made extends fc.Arbitrary<infer One> ? One : never)[]) =>
  channels
    .toSorted((one, other) => one.id - other.id)
    .map(({ isBad, ...channel }): ReadChannel =>
      isBad ? { ...channel, name: 'c', reason: 'does not read' } : channelOf(1, channel),
    );

it('a routing updated from the previous one equals one built anew, whatever has changed', () => {
  const site = fc.uniqueArray(made, { selector: ({ id }) => id });
  const percents = fc.dictionary(fc.constantFrom('1', '2', '3'), fc.constantFrom(10, 50));
  fc.assert(
    fc.property(fc.array(fc.tuple(site, percents), { minLength: 2, maxLength: 4 }), (sites) => {
      let routing = routingOf();
      let last: readonly ReadChannel[] = [];
      for (const [channels, lowered] of sites) {
        // What is as it was before stays the same object, as the keeper gives it.
        const read = readOf(channels).map(
          (one) => last.find((known) => JSON.stringify(known) === JSON.stringify(one)) ?? one,
        );
        const options = {
          ...initialOptions,
          'evidence_setting.lowered': Object.fromEntries(
            Object.entries(lowered).map(([id, percent]) => [
              id,
              { percent, model: 'a', finding: 'other_model' as const },
            ]),
          ),
        };
        routing = routingAfter(routing, read, options);
        expect(idsIn(routing)).toEqual(idsIn(routingAfter(routingOf(), read, options)));
        last = read;
      }
    }),
    { numRuns: 500 },
  );
});

it('unchanged lists stay the same objects, so that what is cached for them stays valid', () => {
  const channels = [
    channelOf(1, { id: 1, models: ['a', 'b'], priority: 1 }),
    channelOf(1, { id: 2, models: ['a', 'b'] }),
    channelOf(1, { id: 3, models: ['b'] }),
    channelOf(1, { id: 4, models: ['c'] }),
  ];
  const before = routingAfter(routingOf(), channels);
  const weighed = channels.with(2, channelOf(1, { id: 3, models: ['b'], weight: 7 }));
  const after = routingAfter(before, weighed);
  const listsOf = ({ tiers }: Routing, model: string) =>
    tiers
      .get('default')
      ?.get(model)
      ?.map((tier) => tier.channels) ?? [];
  expect(listsOf(after, 'a')).toEqual(listsOf(before, 'a'));
  expect(after.tiers.get('default')?.get('a')).toBe(before.tiers.get('default')?.get('a'));
  expect(listsOf(after, 'b')[0]).toBe(listsOf(before, 'b')[0]);
  expect(listsOf(after, 'b')[1]?.map(({ id, weight }) => [id, weight])).toEqual([
    [2, 0],
    [3, 7],
  ]);
  // Ids are the same where only a weight has changed.
  expect(after.byModel).toBe(before.byModel);
  const same = routingAfter(after, weighed);
  expect([same.tiers, same.byModel]).toEqual([after.tiers, after.byModel]);
  expect(same.tiers).toBe(after.tiers);
});

it('other work gets its turn while very many lists are written', () => {
  const models = Array.from({ length: 200 }, (_, at) => `m${at}`);
  const read = Array.from({ length: 1000 }, (_, at) => channelOf(1, { id: at + 1, models }));
  const steps = routingSteps({ ...common, options: initialOptions, read });
  let turns = 0;
  while (steps.next().done !== true) turns += 1;
  expect(turns).toBeGreaterThan(20);
});

it('thousands of aliases are prepared in turns before the first call needs one, and once', () => {
  const names = Array.from({ length: 10_000 }, (_, at) => [`alias-${at}-*`, `model-${at}-*`]);
  const options = {
    ...initialOptions,
    'global.model_aliases': Object.fromEntries(names) as Record<string, string>,
  };
  const turnsOf = (): number => {
    const steps = routingSteps({ ...common, options, read: [] });
    let turns = 0;
    while (steps.next().done !== true) turns += 1;
    return turns;
  };
  expect(turnsOf()).toBeGreaterThan(6);
  expect(turnsOf()).toBeLessThan(4);
  expect(aliasedModel({ options, byModel: new Map() }, 'alias-77-b')).toBe('model-77-b');
});

it('the keys of thousands of pools are sorted in turns, and not by the first call of a model', () => {
  let looks = 0;
  const state = { status: 'enabled', reason: '', untilMs: 0, rounds: 0 } as const;
  const counted = (key: PoolKey): PoolKey => ({
    ...key,
    get state() {
      looks += 1;
      return key.state;
    },
  });
  const limits = { callsPerMinute: 0, tokensPerMinute: 0, concurrent: 0, callsPerDay: 0 };
  const read = Array.from({ length: 1000 }, (_, at) => {
    const pool = Array.from({ length: 100 }, (_one, place) =>
      counted(poolKeyOf(at * 100 + place + 1, { channelId: at + 1, state, limits })),
    );
    return channelOf(1, { id: at + 1, models: ['m'], pool });
  });
  const steps = routingSteps({ ...common, options: initialOptions, read });
  let turns = 0;
  let step = steps.next();
  for (; step.done !== true; step = steps.next()) turns += 1;
  expect(turns).toBeGreaterThan(4);
  looks = 0;
  for (const { channels } of step.value.tiers.get('default')?.get('m') ?? [])
    expect(awakeOf(channels).channels).toHaveLength(1000);
  expect(looks).toBe(0);
});
