import type { Channel } from '#core/channel/channel.ts';
import { orderOf } from '#core/channel/keys/pool-order.ts';
import { type HealthNodes, keptAway } from './health-node.ts';
import { type RestAsk, RestingKeys } from './resting-keys.ts';

/** A question about a list of channels. */
export interface RestingAsk {
  readonly channels: readonly Channel[];
  readonly model: string;
  readonly nowMs: number;
  /** Whether none of their waiting keys may be usable now, given the earliest wake time (wall clock). */
  readonly areAsleep: (wakeMs: number) => boolean;
}

interface Known {
  /** By index: until when the channel rests; `AWAKE`, or 0 if it has to be looked at. */
  readonly untilMs: Float64Array;
  /** By index: the number of calls that had passed when the channel was last looked at. */
  readonly passedAt: Float64Array;
  readonly placeOf: ReadonlyMap<number, number>;
  /** When the first waiting key may come back. */
  readonly wakeMs: number;
  /** The number of calls that passed over the resting channels. */
  passed: number;
  /** When the first of them has to be looked at again. */
  nextMs: number;
  seen: number;
  /** The channels that do not rest. */
  awake: readonly Channel[];
}

const AWAKE = -1;
/** The number of changes remembered; a list that has missed more looks at every channel. */
const CHANGES = 1024;

/**
 * Which channels cool down, as a whole or in all of their keys. A channel is looked at again when its time is over or
 * something about it has changed, so that a call among hundreds of cooling channels checks only one or two.
 */
export class RestingChannels {
  readonly #health: ReadonlyMap<number, ReadonlyMap<number, HealthNodes>>;
  readonly #keys = new RestingKeys();
  /** By list, and by the name that its calls' health has: a few for each. */
  readonly #lists = new WeakMap<readonly Channel[], Map<string, Known>>();
  readonly #changed = new Float64Array(CHANGES);
  #changes = 0;

  /** @param health what is known of channels, by channel and key */
  constructor(health: ReadonlyMap<number, ReadonlyMap<number, HealthNodes>>) {
    this.#health = health;
  }

  /** Notes that something about the channel has changed. */
  changed(channelId: number): void {
    this.#keys.changed(channelId);
    this.#changed[this.#changes % CHANGES] = channelId;
    this.#changes += 1;
  }

  /** Whether calls of the model avoid all of these keys. */
  areCooling(ask: RestAsk): boolean {
    return this.#keysUntil(ask, 1) !== undefined;
  }

  /** The channels that may be usable: those that do not cool down as a whole or in all of their keys. */
  awakeAmong(ask: RestingAsk): readonly Channel[] {
    const { channels, model, nowMs } = ask;
    const known = this.#knownOf(channels, model);
    if (!ask.areAsleep(known.wakeMs)) return channels;
    if (nowMs >= known.nextMs) this.#look(ask, known);
    known.passed += 1;
    return known.awake;
  }

  #keysUntil(ask: RestAsk, calls: number): number | undefined {
    const known = this.#health.get(ask.channelId);
    // With fewer known keys than keys, at least one has not failed.
    if (known === undefined || known.size < ask.keys.length) return undefined;
    const ofKey = (keyId: number, passed: number): number | undefined =>
      keptAway(known.get(keyId), ask.model, ask.nowMs, passed);
    return this.#keys.until(ask, ofKey, calls);
  }

  /**
   * Until when nothing of a channel is usable; undefined if something is. Adds `passed` to the calls it has kept away.
   */
  #restOf({ id, pool }: Channel, { model, nowMs }: RestingAsk, passed: number): number | undefined {
    const whole = keptAway(this.#health.get(id)?.get(0), model, nowMs, passed);
    if (whole !== undefined) return whole;
    if (pool.length === 0) return undefined;
    return this.#keysUntil({ channelId: id, keys: orderOf(pool).enabled, model, nowMs }, passed);
  }

  #knownOf(channels: readonly Channel[], model: string): Known {
    const names = this.#lists.get(channels) ?? new Map<string, Known>();
    const known = names.get(model) ?? newKnown(channels);
    if (known.seen === this.#changes) return known;
    this.#lists.set(channels, names.set(model, known));
    if (this.#changes - known.seen > CHANGES) {
      known.untilMs.fill(0);
      known.nextMs = 0;
    } else
      for (; known.seen < this.#changes; known.seen += 1) {
        const place = known.placeOf.get(this.#changed[known.seen % CHANGES] ?? 0);
        if (place === undefined) continue;
        known.untilMs[place] = 0;
        known.nextMs = 0;
      }
    known.seen = this.#changes;
    return known;
  }

  /** Looks again at the channels whose time is over. */
  #look(ask: RestingAsk, known: Known): void {
    const { channels, nowMs } = ask;
    const { untilMs, passedAt, passed } = known;
    let nextMs = Infinity;
    let isChanged = false;
    for (let place = 0; place < channels.length; place += 1) {
      const channel = channels[place];
      const before = untilMs[place] ?? 0;
      let restMs = before;
      if (channel !== undefined && before !== AWAKE && nowMs >= before) {
        restMs = this.#restOf(channel, ask, passed - (passedAt[place] ?? 0)) ?? AWAKE;
        passedAt[place] = passed;
        untilMs[place] = restMs;
        isChanged = true;
      }
      if (restMs !== AWAKE) nextMs = Math.min(nextMs, restMs);
    }
    known.nextMs = nextMs;
    if (isChanged) known.awake = awakeOf(channels, untilMs);
  }
}

const awakeOf = (channels: readonly Channel[], untilMs: Float64Array): readonly Channel[] =>
  untilMs.every((ms) => ms === AWAKE) ? channels : channels.filter((_, place) => untilMs[place] === AWAKE);

const newKnown = (channels: readonly Channel[]): Known => ({
  untilMs: new Float64Array(channels.length),
  passedAt: new Float64Array(channels.length),
  placeOf: new Map(channels.map(({ id }, place) => [id, place])),
  wakeMs: channels.reduce(
    (first, { pool }) => Math.min(first, orderOf(pool).waiting[0]?.state.untilMs ?? Infinity),
    Infinity,
  ),
  passed: 0,
  nextMs: 0,
  seen: -1,
  awake: channels,
});
