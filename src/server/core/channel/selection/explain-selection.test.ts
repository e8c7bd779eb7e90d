import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ChoicePolicy, choicePolicies } from '#contract/channel/choice.ts';
import { initialOptions } from '#contract/options.ts';
import { Secret } from '../../secrets/secret.ts';
import { buildRouting } from '../testing/build-routing.ts';
import type { Channel, ChannelRow } from '../channel.ts';
import { explainSelection } from './explain-selection.ts';
import type { PoolKey, PoolMode } from '../keys/pool.ts';
import type { Routing } from '../routing.ts';
import type { Undiced } from './open-channels.ts';
import { selectChannel } from './select.ts';
import { channelRowOf } from '../testing/channel.ts';
import { routingOf } from '../testing/selecting.ts';

/** The explanation matches what a call does. */

interface Made {
  readonly status: number;
  readonly groups: string;
  readonly priority: number;
  readonly weight: number;
  readonly maxInputTokens: number;
  readonly cooling: boolean;
  readonly able: boolean;
  readonly loss: boolean;
  readonly tried: boolean;
  readonly score: number | undefined;
  readonly full: boolean;
  readonly mode: PoolMode;
  readonly keys: readonly {
    readonly open: boolean;
    readonly cooling: boolean;
    readonly full: boolean;
    readonly weight: number;
  }[];
}

const made: fc.Arbitrary<Made> = fc.record({
  status: fc.constantFrom(1, 1, 1, 2),
  groups: fc.constantFrom('default', 'default', 'default,vip', 'vip'),
  priority: fc.constantFrom(0, 0, 5),
  weight: fc.integer({ min: 0, max: 4 }),
  maxInputTokens: fc.constantFrom(0, 0, 50),
  cooling: fc.constantFrom(false, false, true),
  able: fc.constantFrom(true, true, false),
  loss: fc.constantFrom(false, false, false, true),
  tried: fc.constantFrom(false, false, false, true),
  score: fc.constantFrom(undefined, 0, 1, 2, 2, 3, 1e-12, 1e15),
  full: fc.constantFrom(false, false, false, true),
  mode: fc.constantFrom<PoolMode>('in_turn', 'random', 'least_used'),
  keys: fc.array(
    fc.record({
      open: fc.boolean(),
      cooling: fc.boolean(),
      full: fc.constantFrom(false, false, true),
      weight: fc.integer({ min: 0, max: 3 }),
    }),
    { maxLength: 3 },
  ),
});

const NO_LIMITS = { callsPerMinute: 0, tokensPerMinute: 0, concurrent: 0, callsPerDay: 0 };

const poolOf = (id: number, keys: Made['keys']): PoolKey[] =>
  keys.map(({ weight }, at) => ({
    id: id * 10 + at + 1,
    channelId: 1,
    label: `k${String(at)}`,
    tail: '',
    key: new Secret('k'),
    weight,
    state: { status: 'enabled', reason: '', untilMs: 0, rounds: 0 },
    limits: NO_LIMITS,
    proxy: undefined,
  }));

const policies = fc.constantFrom(...choicePolicies);

const sceneOf = (
  all: readonly Made[],
  policy: ChoicePolicy,
): { readonly routing: Routing; readonly input: Undiced } => {
  const rows = all.map(({ status, groups, priority, weight, maxInputTokens }, at) =>
    channelRowOf(at + 1, { status, groups, priority, weight, maxInputTokens }),
  );
  const known = new Map<ChannelRow, Channel>();
  const plain = routingOf(...rows);
  for (const [at, row] of rows.entries()) {
    const { keys, mode } = all[at]!;
    const channel: Channel = { ...plain.channels.get(row.id)!, pool: poolOf(row.id, keys), poolMode: mode };
    known.set(row, channel);
  }
  const routing = buildRouting({
    version: 1,
    priceVersion: 1,
    options: initialOptions,
    catalogue: { find: () => undefined },
    rows,
    known,
    openKey: () => new Secret('k'),
  });
  const keyOf = (id: number) => all[Math.floor(id / 10) - 1]?.keys[(id % 10) - 1];
  const input: Undiced = {
    model: 'm',
    groups: ['default', 'vip'],
    tried: { channels: new Set(rows.filter((_, at) => all[at]?.tried).map(({ id }) => id)), keys: new Set() },
    isCooling: (channelId, keyId) =>
      keyId === 0 ? all[channelId - 1]?.cooling === true : keyOf(keyId)?.cooling === true,
    keys: {
      isOpen: ({ id }) => keyOf(id)?.open === true,
      backKeys: () => [],
      areAsleep: () => true,
      lastKeyId: () => 0,
      usesOf: (id) => id % 2,
    },
    hasRoom: ({ id }, key) =>
      all[id - 1]?.full === false && (key === undefined || keyOf(key.id)?.full === false),
    isAble: ({ id }) => all[id - 1]?.able === true,
    isLoss: ({ id }) => all[id - 1]?.loss === true,
    inputTokens: 100,
    ...(policy !== 'weight' && { choice: { policy, scoreOf: ({ id }) => all[id - 1]?.score } }),
  };
  return { routing, input };
};

const THROWS = 4000;
/** Spread evenly, and with lower halves that are spread too. */
const dice = (number: number): number => (number * 0.618_033_988_749_895 + 0.1) % 1;

describe('an explanation', () => {
  it.each([
    ['few', { minLength: 1, maxLength: 6 }, 150],
    // Of so many of a priority not all are looked at.
    ['many', { minLength: 30, maxLength: 60 }, 25],
  ])(
    'gives the chances that the dice have, and never takes what is left out: %s',
    (_, length, numRuns) => {
      fc.assert(
        fc.property(fc.array(made, length), policies, (all, policy) => {
          const { routing, input } = sceneOf(all, policy);
          const explained = explainSelection(routing, input);
          const taken = new Map<string, number>();
          const count = (name: string): void => void taken.set(name, (taken.get(name) ?? 0) + 1);
          for (let at = 0; at < THROWS; at += 1) {
            const { channel, group, coolingTaken } = selectChannel(routing, { ...input, dice: dice(at) });
            if (channel === undefined) break;
            expect({ group, coolingTaken }).toEqual({
              group: explained.group,
              coolingTaken: explained.coolingTaken,
            });
            count(String(channel.id));
            if (channel.keyId !== 0) count(`key ${String(channel.keyId)}`);
          }
          const isAnyTaken = taken.size > 0;
          for (const { channel, chance, reason, keys } of explained.channels) {
            const share = (taken.get(String(channel.id)) ?? 0) / THROWS;
            expect(Math.abs(share - chance)).toBeLessThan(0.02);
            expect(reason === undefined).toBe(chance > 0);
            expect(share > 0 && reason !== undefined).toBe(false);
            for (const key of chance > 0 ? keys : []) {
              const ofChannel = (taken.get(`key ${String(key.id)}`) ?? 0) / (share * THROWS);
              // Five times the deviation that so many throws have.
              expect(Math.abs(ofChannel - key.chance)).toBeLessThan(0.02 + 2.5 / Math.sqrt(share * THROWS));
              expect(ofChannel > 0 && !key.isOpen).toBe(false);
            }
          }
          const sum = explained.channels.reduce((total, { chance }) => total + chance, 0);
          expect(sum).toBeCloseTo(isAnyTaken ? 1 : 0, 9);
        }),
        { numRuns },
      );
    },
    60_000,
  );

  it('of a bound session says where it stays, or among whom it is drawn, as the decision does', () => {
    const wishes = fc.record({
      channel: fc.integer({ min: 1, max: 7 }),
      key: fc.integer({ min: 0, max: 3 }),
      isBusy: fc.constantFrom(false, false, false, true),
      stay: fc.constantFrom(undefined, undefined, 0.5, 1, 3),
    });
    const everything = fc.array(made, { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(everything, policies, wishes, (all, policy, { channel, key, isBusy, stay }) => {
        const { routing, input: unbound } = sceneOf(all, policy);
        const wish = { channelId: channel, keyId: key === 0 ? 0 : channel * 10 + key, isBusy };
        const { choice } = unbound;
        const input = {
          ...unbound,
          wish,
          ...(choice && stay !== undefined && { choice: { ...choice, stayScoreOf: () => stay } }),
        };
        const explained = explainSelection(routing, input);
        const taken = new Map<number, number>();
        const keys = new Map<number, number>();
        const outcomes = new Set<string | undefined>();
        for (let at = 0; at < THROWS; at += 1) {
          const decision = selectChannel(routing, { ...input, dice: dice(at) });
          if (decision.channel === undefined) break;
          const { id, keyId } = decision.channel;
          taken.set(id, (taken.get(id) ?? 0) + 1);
          keys.set(keyId, (keys.get(keyId) ?? 0) + 1);
          const { passedOver } = decision.wish ?? {};
          // Where all cool down, the dice may hit the seat itself.
          if (!decision.coolingTaken && (passedOver === undefined || passedOver === 'cheaper'))
            outcomes.add(passedOver);
        }
        expect([...outcomes].filter((one) => one !== explained.wish?.passedOver)).toEqual([]);
        for (const one of explained.channels) {
          const calls = taken.get(one.channel.id) ?? 0;
          expect(Math.abs(calls / THROWS - one.chance)).toBeLessThan(0.02);
          expect(one.reason === undefined).toBe(one.chance > 0);
          for (const { id, chance } of one.chance > 0 ? one.keys : [])
            expect(Math.abs((keys.get(id) ?? 0) / calls - chance)).toBeLessThan(
              0.02 + 2.5 / Math.sqrt(calls),
            );
        }
      }),
      { numRuns: 150 },
    );
  }, 60_000);

  it('gives the reasons that a decision gives, of all that no dice take', () => {
    fc.assert(
      fc.property(fc.array(made, { minLength: 1, maxLength: 6 }), policies, (all, policy) => {
        const { routing, input } = sceneOf(all, policy);
        const explained = explainSelection(routing, input).channels;
        const closed = explained.filter(({ chance }) => chance === 0);
        const decided = selectChannel(routing, { ...input, dice: 0.5 });
        const reasons = new Map(decided.leftOut.map(({ channelId, reason }) => [channelId, reason]));
        for (const { channel, reason } of closed) expect(reason).toBe(reasons.get(channel.id));
      }),
      { numRuns: 1000 },
    );
  });

  it('explains the most likely of very many, says how many there are, and looks at no keys of the others', () => {
    fc.assert(
      fc.property(fc.array(made, { minLength: 1, maxLength: 6 }), policies, (all, policy) => {
        const { routing, input } = sceneOf(all, policy);
        const whole = explainSelection(routing, input);
        const names: number[] = [];
        const pools = [...routing.channels.values()].flatMap(({ pool }) => pool);
        for (const key of pools) watchLabel(key, () => names.push(key.id));
        const { channels, total } = explainSelection(routing, input, { channels: 2, keys: Infinity });
        expect(channels).toEqual(whole.channels.slice(0, 2));
        expect(total).toBe(all.length);
        const shown = new Set(channels.flatMap(({ keys }) => keys.map(({ id }) => id)));
        expect(names.filter((id) => !shown.has(id))).toEqual([]);
      }),
    );
  });

  it('looks at no more keys than it may, those of the most likely channels first', () => {
    fc.assert(
      fc.property(
        fc.array(made, { minLength: 1, maxLength: 6 }),
        policies,
        fc.nat(9),
        (all, policy, keys) => {
          const { routing, input } = sceneOf(all, policy);
          const whole = explainSelection(routing, input).channels;
          let looked = 0;
          const expected = whole.map((one) => {
            looked += one.channel.pool.length;
            return looked > keys ? { ...one, keys: [] } : one;
          });
          expect(explainSelection(routing, input, { channels: Infinity, keys }).channels).toEqual(expected);
        },
      ),
    );
  });

  it('tells the keys that may be used before those that may not', () => {
    fc.assert(
      fc.property(fc.array(made, { minLength: 1, maxLength: 6 }), policies, (all, policy) => {
        const { routing, input } = sceneOf(all, policy);
        for (const { keys } of explainSelection(routing, input).channels) {
          const ranks = keys.map(({ chance, isOpen }) => (isOpen ? 1 + chance : 0));
          expect(ranks).toEqual(ranks.toSorted((one, other) => other - one));
        }
      }),
    );
  });
});

/** Keys are named only where they are shown. */
const watchLabel = (key: PoolKey, seen: () => void): void => {
  const { label } = key;
  Object.defineProperty(key, 'label', {
    get: () => {
      seen();
      return label;
    },
  });
};
