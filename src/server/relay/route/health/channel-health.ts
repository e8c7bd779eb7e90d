import {
  afterFailure,
  afterSuccess,
  afterWhole,
  afterWord,
  cooledElsewhere,
  countsFor,
  type Health,
  isTrial,
  trialBegun,
  trialVoid,
} from '#core/channel/health/health.ts';
import { type Effect, failureEffects } from '#core/channel/health/failure-effects.ts';
import { type News, silentNews } from '#core/news.ts';
import { AnswerTimes } from './answer-times.ts';
import { BlamedSeats } from './blamed-seats.ts';
import { type CountedFailure, type FailedCall, failureOf } from './counted-failure.ts';
import { type HealthNews, isDisprovedByAnswers, readHealthNews, writeHealthNews } from './health-news.ts';
import {
  type Cooling,
  coolingIn,
  type HealthNode,
  isKeptAway,
  isAvoidedAt,
  isNowCooling,
  isNowDoubtful,
  isNowFailing,
  noteAnswered,
  noteFailed,
  type Part,
  type SeatId,
  setHealth,
  WHOLE,
} from './health-node.ts';
import { HealthTree } from './health-tree.ts';
import { Probes } from './probes.ts';
import { Refusals } from './refusals.ts';
import { RestingChannels } from './resting-channels.ts';

const TOPIC = 'health';
/**
 * How long one of several keys is avoided after it was refused, or after it reached a rate limit without saying for how
 * long.
 */
const KEY_REST_MS = 5000;
/** Up to this many failed keys of one channel, each failed key is doubtful. */
const KEYS_IN_DOUBT = 256;
/** A relay that had an answer within this time ignores what others report. */
const OWN_ANSWER_MS = 1000;

/**
 * How channels work: each model at each key, each model at the channel with any key, each key, and each channel as a
 * whole (docs/decisions/0035). Only recent failures are kept. Cooldowns, trials and recoveries are told to the other
 * relays and nodes as news.
 */
export class ChannelHealth {
  readonly #tree: HealthTree;
  readonly answers = new AnswerTimes();
  readonly resting: RestingChannels;
  readonly probes = new Probes();
  readonly refusals = new Refusals(this.answers);
  readonly blamed: BlamedSeats;
  readonly #news: News;

  /** @param nowMs the monotonic clock, used for news of others */
  constructor(nowMs: () => number, news: News = silentNews) {
    this.#news = news;
    this.#tree = new HealthTree(nowMs, (channelId) => this.resting.changed(channelId));
    this.resting = new RestingChannels(this.#tree.channels);
    this.blamed = new BlamedSeats(news, nowMs);
    news.hear(TOPIC, (body) => {
      const heard = readHealthNews(body);
      if (heard !== undefined) this.#heard(heard, nowMs());
    });
  }

  /** Whether a user's calls of the model avoid that key (for key 0, the channel). Counts the call as kept away. */
  isCooling(channelId: number, keyId: number, model: string, nowMs: number, userId = 0): boolean {
    return isAvoidedAt(this.#tree.channels.get(channelId), keyId, model, isKeptAway, { nowMs, userId });
  }

  /** Like `isCooling`, but does not count the call: for calls that are only explained. */
  wouldCool(channelId: number, keyId: number, model: string, nowMs: number, userId = 0): boolean {
    return isAvoidedAt(this.#tree.channels.get(channelId), keyId, model, isNowCooling, { nowMs, userId });
  }

  /**
   * Whether that key (for key 0, the channel) has failed lately without an answer since. If very many keys have failed,
   * only the cooling ones count, because a call may have to look at each.
   */
  isDoubtful(channelId: number, keyId: number, model: string, nowMs: number): boolean {
    const keys = this.#tree.channels.get(channelId);
    const areMany = keyId !== 0 && keys !== undefined && keys.size > KEYS_IN_DOUBT;
    return isAvoidedAt(keys, keyId, model, areMany ? isNowCooling : isNowDoubtful, { nowMs, userId: 0 });
  }

  /** Whether the channel keeps failing a user's calls of the model: more than once, with no answer since. */
  keepsFailing(channelId: number, model: string, nowMs: number, userId: number): boolean {
    return isAvoidedAt(this.#tree.channels.get(channelId), 0, model, isNowFailing, { nowMs, userId });
  }

  /**
   * Whether only this key is silent, not its channel: another key has answered a call that was sent later. Answers to
   * earlier calls do not count, because the channel may have failed since.
   */
  isAlone({ id, keyId }: SeatId, sinceMs: number): boolean {
    return this.answers.hasOtherAnsweredLaterCall(id, keyId, sinceMs);
  }

  /** Whether perhaps only this key is silent: another key has answered since, whenever that call was sent. */
  mayBeAlone({ id, keyId }: SeatId, sinceMs: number): boolean {
    return this.answers.hasOtherAnswered(id, keyId, sinceMs);
  }

  /** Notes that a call is sent to this seat, perhaps as its trial. @returns whether the seat keeps failing */
  chosen(seat: SeatId, model: string, nowMs: number, userId = 0, canRepeat = true): boolean {
    const isProbe = this.keepsFailing(seat.id, model, nowMs, userId);
    this.probes.begun(model, nowMs, isProbe, canRepeat);
    this.#tree.each(seat, model, (node, keyId, name) => {
      if (!isTrial(node.health, nowMs, node.passed)) return;
      this.#set(seat.id, node, trialBegun(node.health, nowMs), nowMs);
      this.#tell({ found: 'trial', channelId: seat.id, keyId, model: name });
    });
    return isProbe;
  }

  /**
   * Notes that a call failed. If it timed out and no other call got an answer meanwhile, this single failure starts a
   * cooldown, so that the next calls need not wait as long.
   */
  failed(seat: SeatId, model: string, failed: FailedCall): void {
    const { error, startedMs, nowMs, blamedFor } = failed;
    const { id, keyId } = seat;
    const isOneOfSeveral = keyId !== 0;
    const hasOtherAnswered = this.isAlone(seat, startedMs);
    const effects = failureEffects(error, { isOneOfSeveral, hasOtherAnswered, blamedFor });
    if (effects !== undefined) {
      const affect = (effect: Effect | undefined, key: number, name: string): void => {
        if (effect === undefined) return;
        if (effect === 'rest') this.usedUp({ id, keyId: key }, name, KEY_REST_MS, nowMs);
        else this.#count(effect, { keyId: key, model: name }, { ...failed, seat, model, effects });
      };
      affect(effects.modelAtKey, keyId, model);
      affect(effects.key, keyId, WHOLE);
      if (isOneOfSeveral) {
        affect(effects.model, 0, model);
        affect(effects.channel, 0, WHOLE);
      }
    }
    // The failure says nothing about the other parts that this call was the trial of, so the next call is their trial.
    this.left(seat, model, nowMs);
  }

  #count(effect: Exclude<Effect, 'rest'>, of: Part, call: CountedFailure): void {
    const { seat, nowMs } = call;
    const at = { channelId: seat.id, ...of };
    const node = this.#tree.node(at.channelId, at.keyId, at.model);
    noteFailed(node, seat, call.model);
    const failure = failureOf(node, of, effect, call, this.answers);
    this.#fail(at, nowMs, (health) => afterFailure(health, nowMs, failure));
  }

  /**
   * Avoids one of several keys for a while. Its refusal is also written to the database, but until it is there, calls
   * would try the key again.
   */
  refused(seat: SeatId, nowMs: number): void {
    this.usedUp(seat, WHOLE, KEY_REST_MS, nowMs);
  }

  /** Avoids a seat that works but has reported that one of its limits is used up for this long. */
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
    this.answers.note(id, keyId, model, nowMs, startedMs);
    this.blamed.answered(seat, model);
    this.#tree.each(seat, model, (node, key, name) => {
      if (this.#improve({ id, keyId: key }, name, node, afterSuccess(node.health, nowMs), nowMs)) return;
      noteAnswered(node);
    });
  }

  /** Notes that an answer has ended whole. */
  completed(seat: SeatId, model: string, nowMs: number): void {
    this.#tree.each(seat, model, (node, keyId, name) => {
      this.#improve({ id: seat.id, keyId }, name, node, afterWhole(node.health, nowMs), nowMs);
    });
  }

  /**
   * Stores the better health, or forgets the node if it has nothing left to remember.
   * @returns whether it was forgotten
   */
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
    const isForAll = countsFor(node.health, 0);
    if (coolUntilMs <= nowMs) return;
    if (coolUntilMs === before.coolUntilMs && isForAll === countsFor(before, 0)) return;
    node.passed = 0;
    const by = isForAll ? 0 : (node.health.by ?? 0);
    this.#tell({ found: 'cool', ...at, coolMs: coolUntilMs - nowMs, rounds, because, by });
  }

  /** Sets the health of a node. Resting channels are checked again only if that changes which seats are avoided. */
  #set(channelId: number, node: HealthNode, health: Health, nowMs: number): void {
    if (setHealth(node, health, nowMs)) this.resting.changed(channelId);
  }

  #tell(news: HealthNews): void {
    this.#news.tell(TOPIC, writeHealthNews(news));
  }

  #heard(news: HealthNews, nowMs: number): void {
    const { channelId, keyId, model } = news;
    if (news.found === 'well') return this.#tree.forget(channelId, keyId, model, news.all);
    if (news.found === 'cool') {
      const hasAnswered = nowMs < this.answers.last(channelId, keyId, model) + OWN_ANSWER_MS;
      const own = this.#tree.channels.get(channelId)?.get(keyId)?.get(model)?.health;
      if (hasAnswered && isDisprovedByAnswers(news, own)) return;
      const node = this.#tree.node(channelId, keyId, model);
      this.#set(channelId, node, cooledElsewhere(node.health, nowMs, news), nowMs);
      node.passed = 0;
      return;
    }
    const node = this.#tree.channels.get(channelId)?.get(keyId)?.get(model);
    if (node !== undefined && node.health.coolUntilMs > 0)
      this.#set(channelId, node, trialBegun(node.health, nowMs), nowMs);
  }
}
