import {
  afterFailure,
  afterSuccess,
  afterWhole,
  afterWord,
  cooledElsewhere,
  type Failure,
  type Health,
  isTrial,
  trialBegun,
  trialVoid,
} from '#core/channel/health/health.ts';
import { blameOf, countsAgainstChannel } from '#core/channel/health/blame.ts';
import { keyVerdict } from '#core/channel/keys/key-verdict.ts';
import type { AppError } from '#core/error.ts';
import { type News, silentNews } from '#core/news.ts';
import { AnswerTimes } from './answer-times.ts';
import { type Finding, readFinding, writeFinding } from './health-news.ts';
import {
  type Cooling,
  coolingIn,
  type HealthNode,
  isKeptAway,
  isNowCooling,
  noteAnswered,
  noteFailed,
  type SeatId,
  setHealth,
  speaksForAll,
  WHOLE,
} from './health-node.ts';
import { HealthTree } from './health-tree.ts';
import { RestingChannels } from './resting-channels.ts';

const TOPIC = 'health';
/**
 * How long one of several keys is avoided after it was refused, or after it reached a rate limit without saying for how
 * long.
 */
const KEY_REST_MS = 5000;
/** A relay that had an answer within this time ignores what others report. */
const OWN_ANSWER_MS = 1000;

/** What tells failures of this node apart: its models, its keys, or both. */
const originOf = (
  { keyId }: SeatId,
  model: string,
  of: { readonly keyId: number; readonly model: string },
): readonly string[] | undefined => {
  const names = [...(of.model === WHOLE ? [model] : []), ...(of.keyId === keyId ? [] : [String(keyId)])];
  return names.length === 0 ? undefined : names;
};

/**
 * How channels work: each model at each key, each model at the channel with any key, each key, and each channel as a
 * whole (docs/decisions/0035). Only recent failures are kept. Findings are shared with the other relays and nodes.
 */
export class ChannelHealth {
  readonly #tree: HealthTree;
  readonly #answers = new AnswerTimes();
  readonly resting: RestingChannels;
  readonly #news: News;

  /** @param nowMs the monotonic clock, used for findings of others */
  constructor(news: News = silentNews, nowMs: () => number = () => performance.now()) {
    this.#news = news;
    this.#tree = new HealthTree(nowMs, (channelId) => this.resting.changed(channelId));
    this.resting = new RestingChannels(this.#tree.channels);
    news.hear(TOPIC, (body) => {
      const finding = readFinding(body);
      if (finding !== undefined) this.#heard(finding, nowMs());
    });
  }

  /** Whether calls of the model avoid that key, or, for key 0, the channel. Counts the call as kept away. */
  isCooling(channelId: number, keyId: number, model: string, nowMs: number): boolean {
    return this.#isAvoided(channelId, keyId, model, isKeptAway, nowMs);
  }

  /** Like `isCooling`, without counting: for a call that is not made. */
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
    const keys = this.#tree.channels.get(channelId);
    if (keys === undefined) return false;
    // Both levels are asked, because each counts the calls it keeps away.
    let isKept = false;
    for (const models of [keys.get(0), keyId === 0 ? undefined : keys.get(keyId)]) {
      if (models === undefined) continue;
      if (isAvoided(models.get(WHOLE), nowMs)) isKept = true;
      if (isAvoided(models.get(model), nowMs)) isKept = true;
    }
    return isKept;
  }

  /**
   * Whether only this key is silent, not its channel: another key has answered a call that was sent later. Answers to
   * earlier calls do not count, because the channel may have failed since.
   */
  isAlone({ id, keyId }: SeatId, sinceMs: number): boolean {
    return this.#answers.hasOtherAnsweredLaterCall(id, keyId, sinceMs);
  }

  /** Whether only this key may be silent: another key has answered meanwhile, whenever its call was sent. */
  mayBeAlone({ id, keyId }: SeatId, sinceMs: number): boolean {
    return this.#answers.hasOtherAnswered(id, keyId, sinceMs);
  }

  /** Notes that a call is sent to this seat. If the seat was cooling down, this call is its trial. */
  chosen(seat: SeatId, model: string, nowMs: number): void {
    this.#tree.each(seat, model, (node, keyId, name) => {
      if (!isTrial(node.health, nowMs, node.passed)) return;
      this.#set(seat.id, node, trialBegun(node.health, nowMs), nowMs);
      node.passed = 0;
      this.#tell({ found: 'trial', channelId: seat.id, keyId, model: name });
    });
  }

  /**
   * Notes that a call that began at `startedMs` failed. If it timed out and no other call got an answer meanwhile, this
   * single failure starts a cooldown, so that the next calls need not wait as long.
   * @param isBroken its answer had begun
   */
  failed(
    seat: SeatId,
    model: string,
    error: AppError,
    startedMs: number,
    nowMs: number,
    isBroken = false,
  ): void {
    const { id, keyId } = seat;
    const blame = blameOf(error);
    const isRefusedKey = keyId !== 0 && blame === 'key';
    if (!isRefusedKey && !countsAgainstChannel(error)) return this.left(seat, model, nowMs);
    const { retryAfterSeconds } = error;
    const wasSilent = (...of: [key: number, model: string]) =>
      error.code === 'upstream_timeout' && this.#answers.last(id, ...of) < startedMs;
    const isDear = blame === 'upstream' || isBroken;
    const fail = (key: number, name: string, failure: Failure): void => {
      const of = { keyId: key, model: name };
      const origin = originOf(seat, model, of);
      const node = this.#tree.node(id, key, name);
      noteFailed(node, seat, model);
      const mayCool = failure.mayCool ?? speaksForAll(node, seat, of);
      this.#fail({ channelId: id, ...of }, nowMs, (health) =>
        afterFailure(health, nowMs, { ...failure, mayCool, isBroken, isDear, ...(origin && { origin }) }),
      );
    };
    const failModel = (key: number): void =>
      fail(key, model, { retryAfterSeconds, wasSilent: wasSilent(key, model) });
    const isLimitedKey = keyId !== 0 && retryAfterSeconds === undefined && keyVerdict(error) === 'limited';
    if (isRefusedKey) this.refused(seat, nowMs);
    else if (blame === 'key') fail(keyId, WHOLE, { mayCool: true });
    else if (isLimitedKey) this.usedUp(seat, model, KEY_REST_MS, nowMs);
    else failModel(keyId);
    const isKeysAlone = blame === 'upstream' && this.isAlone(seat, startedMs);
    const isOfAnyKey = keyId !== 0 && (blame === 'model' || blame === 'upstream');
    if (isOfAnyKey && isKeysAlone) fail(0, model, { isApart: true });
    else if (isOfAnyKey) failModel(0);
    const isApart = blame === 'model' && (error.upstream?.status ?? 0) >= 500;
    if (blame === 'upstream' || isApart)
      for (const key of keyId === 0 ? [0] : [0, keyId])
        if (isApart || (isKeysAlone && key === 0)) fail(key, WHOLE, { isApart: true });
        else fail(key, WHOLE, { wasSilent: wasSilent(key, WHOLE) });
    // Other trials of this call had nothing to do with the failure, so the next call makes them.
    this.left(seat, model, nowMs);
  }

  /**
   * Avoids one of several keys for a while. Its refusal is also written to the database, but until it is there, calls
   * would try the key again.
   */
  refused(seat: SeatId, nowMs: number): void {
    this.usedUp(seat, WHOLE, KEY_REST_MS, nowMs);
  }

  /** Avoids a seat that answers but said that one of its limits is used up for so long. */
  usedUp({ id, keyId }: SeatId, model: string, waitMs: number, nowMs: number): void {
    this.#fail({ channelId: id, keyId, model }, nowMs, (health) => afterWord(health, nowMs, waitMs));
  }

  /** Notes that a call ended without saying anything about the seat. If it was a trial, the next call is the trial. */
  left(seat: SeatId, model: string, nowMs: number): void {
    this.#tree.each(seat, model, (node) => this.#set(seat.id, node, trialVoid(node.health, nowMs), nowMs));
  }

  /** Notes that an answer has begun. */
  succeeded(seat: SeatId, model: string, nowMs: number, startedMs = nowMs): void {
    const { id, keyId } = seat;
    this.#answers.note(id, keyId, model, nowMs, startedMs);
    this.#tree.each(seat, model, (node, key, name) => {
      if (this.#improve({ id, keyId: key }, name, node, afterSuccess(node.health, nowMs), nowMs)) return;
      noteAnswered(node);
    });
  }

  /** Notes that an answer has come to its end. */
  completed(seat: SeatId, model: string, nowMs: number): void {
    this.#tree.each(seat, model, (node, keyId, name) => {
      this.#improve({ id: seat.id, keyId }, name, node, afterWhole(node.health, nowMs), nowMs);
    });
  }

  /** @returns whether nothing is left to be remembered */
  #improve(
    { id, keyId }: SeatId,
    model: string,
    node: HealthNode,
    health: Health | undefined,
    nowMs: number,
  ): boolean {
    if (health !== undefined) {
      this.#set(id, node, health, nowMs);
      return false;
    }
    const { coolUntilMs, trial } = node.health;
    const all = model === WHOLE && trial;
    if (coolUntilMs > 0) this.#tell({ found: 'well', channelId: id, keyId, model, all });
    this.#tree.forget(id, keyId, model, all);
    return true;
  }

  /** Lists everything that cools down, for the live board. */
  cooling(nowMs: number): Generator<Cooling> {
    return coolingIn(this.#tree.channels, nowMs);
  }

  #fail(
    at: { readonly channelId: number; readonly keyId: number; readonly model: string },
    nowMs: number,
    result: (health: Health) => Health,
  ): void {
    const node = this.#tree.node(at.channelId, at.keyId, at.model);
    const before = node.health;
    this.#set(at.channelId, node, result(before), nowMs);
    const { coolUntilMs, rounds, because } = node.health;
    if (coolUntilMs === before.coolUntilMs || coolUntilMs <= nowMs) return;
    node.passed = 0;
    this.#tell({ found: 'cool', ...at, coolMs: coolUntilMs - nowMs, rounds, because });
  }

  /** A key that is refused again while it cools changes nothing of what rests, so nothing is looked at again. */
  #set(channelId: number, node: HealthNode, health: Health, nowMs: number): void {
    if (setHealth(node, health, nowMs)) this.resting.changed(channelId);
  }

  #tell(finding: Finding): void {
    this.#news.tell(TOPIC, writeFinding(finding));
  }

  #heard(finding: Finding, nowMs: number): void {
    const { channelId, keyId, model } = finding;
    if (finding.found === 'well') return this.#tree.forget(channelId, keyId, model, finding.all);
    if (finding.found === 'cool') {
      const hasAnswered = nowMs < this.#answers.last(channelId, keyId, model) + OWN_ANSWER_MS;
      const { because } = finding;
      const own = this.#tree.channels.get(channelId)?.get(keyId)?.get(model)?.health;
      const failsHereToo = own?.recent.some(({ failures }) => failures > 0) === true;
      // That answers begin is no proof against a named time, nor that they come to their end, nor that most of them begin.
      const isProof = because === 'row' || (because === 'rate' && !failsHereToo);
      if (hasAnswered && isProof) return;
      const node = this.#tree.node(channelId, keyId, model);
      this.#set(channelId, node, cooledElsewhere(node.health, nowMs, finding), nowMs);
      node.passed = 0;
      return;
    }
    const node = this.#tree.channels.get(channelId)?.get(keyId)?.get(model);
    if (node !== undefined && node.health.coolUntilMs > 0)
      this.#set(channelId, node, trialBegun(node.health, nowMs), nowMs);
  }
}
