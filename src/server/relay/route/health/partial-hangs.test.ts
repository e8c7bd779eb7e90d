import fc from 'fast-check';
import { expect, test } from 'vitest';
import { AppError } from '#core/error.ts';
import { ChannelHealth } from './channel-health.ts';

/** Upstreams that fail only some of their calls, in time that the test moves: 200 calls a second for three channels. */

const CALL_EVERY_MS = 5;
const ANSWERS_AFTER_MS = 20;
const DEADLINE_MS = 1000;
const BAD = 1;
const silent = new AppError('upstream_timeout', 'x');
const broken = new AppError('upstream_failed', 'x', { upstream: { status: 500, message: 'x' } });

interface Fault {
  /** Which calls of the bad channel fail. */
  readonly share: number;
  readonly models?: readonly string[];
  readonly keys?: readonly number[];
  readonly error: AppError;
}

/** The same numbers between 0 and 1 for the same seed. */
const diceOf = (seed: number) => {
  let state = seed;
  return (): number => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32;
  };
};

class Simulation {
  readonly health: ChannelHealth;
  readonly sent: { readonly atMs: number; readonly channelId: number; readonly model: string }[] = [];
  nowMs = 100_000;
  readonly #dice: () => number;
  readonly #models: number;
  readonly #keys: number;
  readonly #due = new Map<number, (() => void)[]>();

  constructor({ seed, models, keys }: { seed: number; models: number; keys: number }) {
    this.health = new ChannelHealth(() => this.nowMs);
    this.#dice = diceOf(seed);
    this.#models = models;
    this.#keys = keys;
  }

  run(forMs: number, fault?: Fault, each: () => void = () => undefined): void {
    const untilMs = this.nowMs + forMs;
    for (; this.nowMs < untilMs; this.nowMs += CALL_EVERY_MS) {
      for (const end of this.#due.get(this.nowMs) ?? []) end();
      this.#due.delete(this.nowMs);
      this.#call(fault);
      each();
    }
  }

  shareSince(sinceMs: number): number {
    const calls = this.sent.filter(({ atMs }) => atMs >= sinceMs);
    return calls.filter(({ channelId }) => channelId === BAD).length / calls.length;
  }

  #pick(count: number): number {
    return Math.floor(this.#dice() * count);
  }

  #call(fault: Fault | undefined): void {
    const { nowMs, health } = this;
    const model = `m${this.#pick(this.#models)}`;
    const keyIds = this.#keys === 1 ? [0] : Array.from({ length: this.#keys }, (_, at) => at + 1);
    const open = [1, 2, 3].flatMap((id) => {
      const keys = keyIds.filter(
        (keyId) => !health.isCooling(id, id * 100 * Math.sign(keyId) + keyId, model, nowMs),
      );
      return keys.length === 0 ? [] : [{ id, keys }];
    });
    const channel = open[this.#pick(open.length)];
    if (channel === undefined) return;
    const { id, keys } = channel;
    const key = keys[this.#pick(keys.length)] ?? 0;
    const seat = { id, keyId: id * 100 * Math.sign(key) + key };
    health.chosen(seat, model, nowMs);
    this.sent.push({ atMs: nowMs, channelId: id, model });
    const fails =
      fault !== undefined &&
      id === BAD &&
      (fault.models?.includes(model) ?? true) &&
      (fault.keys?.includes(key) ?? true) &&
      this.#dice() < fault.share;
    const endMs = nowMs + (fails && fault.error === silent ? DEADLINE_MS : ANSWERS_AFTER_MS);
    const end = fails
      ? () => health.failed(seat, model, { error: fault.error, startedMs: nowMs, nowMs: endMs })
      : () => {
          health.succeeded(seat, model, endMs, nowMs);
          health.completed(seat, model, endMs);
        };
    this.#due.set(endMs, [...(this.#due.get(endMs) ?? []), end]);
  }
}

const seeds = fc.integer({ min: 0, max: 2 ** 31 });
const models = fc.constantFrom(1, 2, 5, 20, 50);
const keys = fc.constantFrom(1, 2, 10);

test('a channel that hangs a third of its calls or more, at any number of models and keys, is left within 10 s and back within 30', () => {
  const share = fc.double({ min: 1 / 3, max: 1, noNaN: true });
  fc.assert(
    fc.property(seeds, models, keys, share, (seed, modelCount, keyCount, hangs) => {
      const scene = new Simulation({ seed, models: modelCount, keys: keyCount });
      scene.run(5000);
      scene.run(10_000, { share: hangs, error: silent });
      const leftMs = scene.nowMs;
      scene.run(20_000, { share: hangs, error: silent });
      expect(scene.shareSince(leftMs)).toBeLessThan(0.05);
      scene.run(28_000);
      const backMs = scene.nowMs;
      scene.run(2000);
      expect(scene.shareSince(backMs)).toBeGreaterThan(0.2);
    }),
    { numRuns: 30 },
  );
});

test('a channel that answers 500 at all models is left as a whole, not model after model', () => {
  const scene = new Simulation({ seed: 7, models: 50, keys: 1 });
  scene.run(5000);
  scene.run(3000, { share: 1, error: broken });
  const before = scene.sent.length;
  expect(scene.health.isCooling(BAD, 0, 'a model nobody has called', scene.nowMs)).toBe(true);
  scene.run(10_000, { share: 1, error: broken });
  expect(scene.sent.slice(before).filter(({ channelId }) => channelId === BAD).length).toBeLessThan(3);
  scene.run(30_000);
  expect(scene.shareSince(scene.nowMs - 2000)).toBeGreaterThan(0.2);
});

test('while some models of a channel fail, in any way, and however much of the traffic they have, its other models go on', () => {
  const share = fc.double({ min: 0.05, max: 1, noNaN: true });
  const bad = fc.constantFrom(
    { error: silent, models: ['m0'] },
    { error: broken, models: ['m0'] },
    { error: broken, models: ['m0', 'm1'] },
  );
  fc.assert(
    fc.property(seeds, fc.constantFrom(4, 5, 20), keys, share, bad, (seed, count, keyCount, fails, fault) => {
      const scene = new Simulation({ seed, models: count, keys: keyCount });
      scene.run(2000);
      let cooled = 0;
      scene.run(30_000, { ...fault, share: fails }, () => {
        const keyIds = keyCount === 1 ? [0] : Array.from({ length: keyCount }, (_, at) => 101 + at);
        if (keyIds.every((keyId) => scene.health.wouldCool(BAD, keyId, 'm3', scene.nowMs))) cooled += 1;
      });
      expect(cooled).toBe(0);
    }),
    { numRuns: 30 },
  );
});

test('while one key of several is silent, the others go on with all models', () => {
  fc.assert(
    fc.property(seeds, models, fc.constantFrom(2, 10), (seed, modelCount, keyCount) => {
      const scene = new Simulation({ seed, models: modelCount, keys: keyCount });
      scene.run(2000);
      let cooled = 0;
      scene.run(30_000, { share: 1, error: silent, keys: [1] }, () => {
        if (scene.health.wouldCool(BAD, 102, 'm0', scene.nowMs)) cooled += 1;
      });
      expect(cooled).toBe(0);
    }),
    { numRuns: 20 },
  );
});
