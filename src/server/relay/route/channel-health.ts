import {
  afterFailure,
  afterSuccess,
  afterWord,
  blameOf,
  cooledElsewhere,
  countsAgainstChannel,
  type Health,
  healthy,
  isForgotten,
  isTrial,
  trialBegun,
  trialVoid,
} from '#core/channel/health.ts';
import { keyVerdict } from '#core/channel/key-verdict.ts';
import type { AppError } from '#core/error.ts';
import { type News, silentNews } from '#core/news.ts';
import { AnswerTimes } from './answer-times.ts';
import { type Finding, readFinding, writeFinding } from './health-news.ts';
import {
  isKeptAway,
  isNowCooling,
  type HealthNode,
  type HealthNodes,
  type SeatId,
  WHOLE,
} from './health-node.ts';
import { RestingChannels } from './resting-channels.ts';

const TOPIC = 'health';
const NODES_MAX = 20_000;
/** So long a key of several rests that is refused, or over its rate without saying for how long. */
const KEY_REST_MS = 5000;
/** Who had an answer itself within this time believes that more than what others have found. */
const OWN_ANSWER_MS = 1000;

/**
 * How channels have been working: each model at each key, each model at the channel whatever the key, each key, and each
 * channel as a whole (docs/decisions/0035). Only what failed lately is kept. What it finds the other relays and nodes hear,
 * and it hears what they find.
 */
export class ChannelHealth {
  /** By channel and key; what is under the key 0 is about the channel whatever the key. */
  readonly #channels = new Map<number, Map<number, HealthNodes>>();
  #nodes = 0;
  readonly #answers = new AnswerTimes();
  readonly resting = new RestingChannels(this.#channels);
  readonly #news: News;
  readonly #nowMs: () => number;

  /** @param nowMs the monotonic clock, for what others tell */
  constructor(news: News = silentNews, nowMs: () => number = () => performance.now()) {
    this.#news = news;
    this.#nowMs = nowMs;
    news.hear(TOPIC, (body) => {
      const finding = readFinding(body);
      if (finding !== undefined) this.#heard(finding, nowMs());
    });
  }

  /** Whether calls of the model avoid that key; under the key 0, the channel whatever the key. */
  isCooling(channelId: number, keyId: number, model: string, nowMs: number): boolean {
    return this.#isAvoided(channelId, keyId, model, isKeptAway, nowMs);
  }

  /** Like `isCooling` for a call that is not made: it counts nothing. */
  wouldCool(channelId: number, keyId: number, model: string, nowMs: number): boolean {
    return this.#isAvoided(channelId, keyId, model, isNowCooling, nowMs);
  }

  #isAvoided(
    channelId: number,
    keyId: number,
    model: string,
    isAvoided: typeof isNowCooling,
    nowMs: number,
  ): boolean {
    const keys = this.#channels.get(channelId);
    if (keys === undefined) return false;
    // All are asked: each counts the calls that it keeps away.
    let isKept = false;
    for (const models of [keys.get(0), keyId === 0 ? undefined : keys.get(keyId)]) {
      if (models === undefined) continue;
      if (isAvoided(models.get(WHOLE), nowMs)) isKept = true;
      if (isAvoided(models.get(model), nowMs)) isKept = true;
    }
    return isKept;
  }

  /**
   * Whether the silence of a key since then is its own: another key of its channel has answered a call that was sent later.
   * An answer to one that was sent before may have been the channel's last.
   */
  isAlone({ id, keyId }: SeatId, sinceMs: number): boolean {
    return this.#answers.hasOtherAnsweredLaterCall(id, keyId, sinceMs);
  }

  /** Whether it may be the key's own: another key has answered meanwhile, whenever that call was sent. */
  mayBeAlone({ id, keyId }: SeatId, sinceMs: number): boolean {
    return this.#answers.hasOtherAnswered(id, keyId, sinceMs);
  }

  /** A call is sent to this seat: if something of it was cooling down, this call is its trial. */
  chosen(seat: SeatId, model: string, nowMs: number): void {
    this.#each(seat, model, (node, keyId, name) => {
      if (!isTrial(node.health, nowMs, node.passed)) return;
      node.health = trialBegun(node.health, nowMs);
      node.passed = 0;
      this.#tell({ found: 'trial', channelId: seat.id, keyId, model: name });
    });
  }

  /**
   * A call that began at `startedMs` failed. If it timed out and nobody else had an answer meanwhile, this one failure is
   * enough to cool it down, so that the next calls need not wait as long.
   */
  failed(seat: SeatId, model: string, error: AppError, startedMs: number, nowMs: number): void {
    const { id, keyId } = seat;
    const blame = blameOf(error);
    const isRefusedKey = keyId !== 0 && blame === 'key';
    if (!isRefusedKey && !countsAgainstChannel(error)) return this.left(seat, model, nowMs);
    const seconds = error.retryAfterSeconds;
    const silent = (...of: [key: number, model: string]) =>
      error.code === 'upstream_timeout' && this.#answers.last(id, ...of) < startedMs;
    const fail = (key: number, name: string, wasSilent: boolean, mayCool = true): void =>
      this.#fail({ channelId: id, keyId: key, model: name }, nowMs, (health) =>
        afterFailure(health, nowMs, name === WHOLE ? undefined : seconds, wasSilent, mayCool),
      );
    const isLimitedKey = keyId !== 0 && seconds === undefined && keyVerdict(error) === 'limited';
    // Another key does it meanwhile. That it is refused goes into the database, and calls would try it until it is there.
    if (isRefusedKey) this.usedUp(seat, WHOLE, KEY_REST_MS, nowMs);
    else if (blame === 'key') fail(keyId, WHOLE, false);
    else if (isLimitedKey) this.usedUp(seat, model, KEY_REST_MS, nowMs);
    else fail(keyId, model, silent(keyId, model));
    const isKeys = blame === 'upstream' && this.isAlone(seat, startedMs);
    if (keyId !== 0 && !isKeys && (blame === 'model' || blame === 'upstream'))
      fail(0, model, silent(0, model));
    if (blame === 'upstream')
      for (const key of isKeys ? [keyId] : keyId === 0 ? [0] : [0, keyId])
        fail(key, WHOLE, silent(key, WHOLE), this.#isOfSeveral(id, key, model));
    // What was tried too, and had nothing to do with it, is tried again.
    this.left(seat, model, nowMs);
  }

  /** It answers, but says that it will not for so long: nothing is left of one of its limits. */
  usedUp({ id, keyId }: SeatId, model: string, waitMs: number, nowMs: number): void {
    this.#fail({ channelId: id, keyId, model }, nowMs, (health) => afterWord(health, nowMs, waitMs));
  }

  /** A call ended that tells nothing: if it was a trial, the next one is. */
  left(seat: SeatId, model: string, nowMs: number): void {
    this.#each(seat, model, (node) => (node.health = trialVoid(node.health, nowMs)));
  }

  succeeded(seat: SeatId, model: string, nowMs: number, startedMs = nowMs): void {
    const { id, keyId } = seat;
    this.#answers.note(id, keyId, model, nowMs, startedMs);
    if (!this.#channels.has(id)) return;
    this.#each(seat, model, (node, key, name) => {
      const { coolUntilMs, trial } = node.health;
      const health = afterSuccess(node.health, nowMs);
      if (health !== undefined) {
        node.health = health;
        node.isOfSeveral = false;
        node.model = '';
        return;
      }
      const all = name === WHOLE && trial;
      if (coolUntilMs > 0) this.#tell({ found: 'well', channelId: id, keyId: key, model: name, all });
      this.#well(id, key, name, all);
    });
  }

  /** Everything that cools: the live board shows it. `trial`: one call is testing it. */
  *cooling(nowMs: number): Generator<Cooling> {
    for (const [channelId, keys] of this.#channels)
      for (const [keyId, models] of keys)
        for (const [model, { health }] of models)
          if (health.coolUntilMs > 0)
            yield { channelId, keyId, model, leftMs: health.coolUntilMs - nowMs, trial: health.trial };
  }

  /** A whole key cools only if several of its models failed: true from the second one on. */
  #isOfSeveral(channelId: number, keyId: number, model: string): boolean {
    const node = this.#node(channelId, keyId, WHOLE);
    if (node.model === '') node.model = model;
    else if (node.model !== model) node.isOfSeveral = true;
    return node.isOfSeveral || node.health.trial;
  }

  #fail(
    at: { readonly channelId: number; readonly keyId: number; readonly model: string },
    nowMs: number,
    result: (health: Health) => Health,
  ): void {
    const node = this.#node(at.channelId, at.keyId, at.model);
    const before = node.health;
    const { coolUntilMs, rounds, because } = (node.health = result(before));
    if (coolUntilMs === before.coolUntilMs || coolUntilMs <= nowMs) return;
    node.passed = 0;
    this.#tell({ found: 'cool', ...at, coolMs: coolUntilMs - nowMs, rounds, because });
  }

  #tell(finding: Finding): void {
    this.#news.tell(TOPIC, writeFinding(finding));
  }

  #heard(finding: Finding, nowMs: number): void {
    const { channelId, keyId, model } = finding;
    if (finding.found === 'well') return this.#well(channelId, keyId, model, finding.all);
    if (finding.found === 'cool') {
      const hasAnswered = nowMs < this.#answers.last(channelId, keyId, model) + OWN_ANSWER_MS;
      if (hasAnswered && finding.because !== 'told') return;
      const node = this.#node(channelId, keyId, model);
      node.health = cooledElsewhere(node.health, nowMs, finding);
      node.passed = 0;
      return;
    }
    this.resting.changed(channelId);
    const node = this.#channels.get(channelId)?.get(keyId)?.get(model);
    if (node !== undefined && node.health.coolUntilMs > 0) node.health = trialBegun(node.health, nowMs);
  }

  /** It works. `all`: a key begins anew with all its models, a channel with all its keys. */
  #well(channelId: number, keyId: number, model: string, all: boolean): void {
    const keys = this.#channels.get(channelId);
    if (keys === undefined) return;
    this.resting.changed(channelId);
    const models = keys.get(keyId);
    if (models?.delete(model) === true) this.#nodes -= 1;
    for (const [key, rest] of keys)
      if (rest.size === 0 || (all && (keyId === 0 || key === keyId))) {
        this.#nodes -= rest.size;
        keys.delete(key);
      }
    if (keys.size === 0) this.#channels.delete(channelId);
  }

  /** What is remembered of the seat, that of the channel whatever the key included. */
  #each(
    { id, keyId }: SeatId,
    model: string,
    visit: (node: HealthNode, keyId: number, model: string) => void,
  ): void {
    const keys = this.#channels.get(id);
    if (keys === undefined) return;
    this.resting.changed(id);
    for (const key of keyId === 0 ? [0] : [0, keyId])
      for (const name of [WHOLE, model]) {
        const node = keys.get(key)?.get(name);
        if (node !== undefined) visit(node, key, name);
      }
  }

  #node(channelId: number, keyId: number, model: string): HealthNode {
    this.resting.changed(channelId);
    const keys = this.#channels.get(channelId) ?? new Map<number, HealthNodes>();
    const models = keys.get(keyId) ?? new Map<string, HealthNode>();
    const known = models.get(model);
    if (known !== undefined) return known;
    if (this.#nodes >= NODES_MAX) this.#makeRoom();
    const node: HealthNode = { health: healthy, passed: 0, model: '', isOfSeveral: false };
    this.#channels.set(channelId, keys.set(keyId, models.set(model, node)));
    this.#nodes += 1;
    return node;
  }

  /** Forgets what is over; if that is nothing, the channel that has been failing the longest. */
  #makeRoom(): void {
    const nowMs = this.#nowMs();
    for (const [channelId, keys] of this.#channels)
      for (const [keyId, models] of keys)
        for (const [model, { health }] of models)
          if (isForgotten(health, nowMs)) this.#well(channelId, keyId, model, false);
    if (this.#nodes < NODES_MAX) return;
    const [oldest] = this.#channels;
    if (oldest === undefined) return;
    this.resting.changed(oldest[0]);
    for (const models of oldest[1].values()) this.#nodes -= models.size;
    this.#channels.delete(oldest[0]);
  }
}

/** What cools, and for how long it still does. */
export interface Cooling {
  readonly channelId: number;
  readonly keyId: number;
  /** Empty: all of them. */
  readonly model: string;
  /** 0 or less: the next call is its trial. */
  readonly leftMs: number;
  readonly trial: boolean;
}
