import type { SessionPast } from '../../cost/expected-cost.ts';
import { MINUTE_MS } from '../../time/spans.ts';

/** Identifies a seat: a channel with one of its keys. */
export interface SeatName {
  readonly channelId: number;
  /** 0 for the only key of a channel. */
  readonly keyId: number;
}

/** A session and the seat that answered it. */
export interface Binding extends SeatName {
  readonly userId: number;
  /** The model's name in the request. */
  readonly model: string;
  /** The length of the last prompt; missing if another relay made the binding. */
  readonly promptTokens?: number;
  /** The seat that it moved away from, if it is known. */
  readonly from?: SeatName | undefined;
}

/** The seat a session should go to. */
export interface WishedSeat extends SeatName {
  /** Whether it calls too often for one seat, so this call is drawn like any other. */
  readonly isBusy: boolean;
}

interface Stored extends Omit<Binding, 'promptTokens'> {
  /** When it was bound to this seat. */
  readonly boundAtMs: number;
  usedAtMs: number;
  /** How many of its calls were answered, as far as is known here. */
  answers: number;
  lastPromptTokens: number;
  /** The current minute, and how many calls wished for the seat in it. */
  minute: number;
  calls: number;
  /** When other relays were last informed of it. */
  toldAtMs: number;
}

/** Which sessions to forget; a missing field means any. */
export interface ForgottenSessions {
  readonly channelId?: number;
  /** The prefix of the model's name. */
  readonly modelPrefix?: string;
}

/** How many sessions are remembered by default: about 15 MB. */
const MOST_SESSIONS = 50_000;
/** Other relays are informed again of a session in use after this time, so that they remember it too. */
const TELL_AGAIN_MS = 60_000;
/**
 * An agent with its subagents calls less often than this. A session that calls more often is many people behind one
 * name, or a program whose prompts all begin alike: at one seat they would exhaust its limits, and providers spread
 * them over several caches anyway.
 */
const MOST_CALLS_A_MINUTE = 60;
/**
 * Longer than news takes to arrive: a session bound here within this time may have been bound elsewhere at the same
 * time.
 */
const AT_ONCE_MS = 3000;

/**
 * Remembers which seat answered which session. Bounded: a user with more than an equal share of the space evicts only
 * their own oldest sessions, so inventing sessions does not evict those of others.
 */
export class SessionBindings {
  readonly #most: number;
  /** User → session → binding; least recently used first. */
  readonly #users = new Map<number, Map<string, Stored>>();
  #size = 0;
  /** The last user found to have more than an equal share. */
  #greedy: number | undefined;

  constructor(most = MOST_SESSIONS) {
    this.#most = most;
  }

  get size(): number {
    return this.#size;
  }

  /** The seat of a session that was used within `ttlMs`. Counts the call. */
  wish(userId: number, session: string, nowMs: number, ttlMs: number): WishedSeat | undefined {
    const bound = this.#find(userId, session, nowMs, ttlMs);
    if (bound === undefined) return undefined;
    const minute = Math.floor(nowMs / MINUTE_MS);
    if (bound.minute !== minute) {
      bound.minute = minute;
      bound.calls = 0;
    }
    bound.calls += 1;
    return { channelId: bound.channelId, keyId: bound.keyId, isBusy: isBusy(bound, nowMs) };
  }

  /** The seat the next call would wish for. Does not count a call. */
  peek(userId: number, session: string, nowMs: number, ttlMs: number): WishedSeat | undefined {
    const bound = this.#find(userId, session, nowMs, ttlMs);
    if (bound === undefined) return undefined;
    const minute = Math.floor(nowMs / MINUTE_MS);
    const next = { ...bound, minute, calls: (bound.minute === minute ? bound.calls : 0) + 1 };
    return { channelId: bound.channelId, keyId: bound.keyId, isBusy: isBusy(next, nowMs) };
  }

  /** What is known about a session that was used within `ttlMs`. */
  past(userId: number, session: string, nowMs: number, ttlMs: number): SessionPast | undefined {
    const bound = this.#find(userId, session, nowMs, ttlMs);
    if (bound === undefined) return undefined;
    return { answers: bound.answers, promptTokens: bound.lastPromptTokens, idleMs: nowMs - bound.usedAtMs };
  }

  /** What to store of a session for later runs; undefined if it is not remembered. */
  stored(
    userId: number,
    session: string,
  ): (Binding & { readonly answers: number; readonly usedAtMs: number }) | undefined {
    const bound = this.#users.get(userId)?.get(session);
    if (bound === undefined) return undefined;
    const { channelId, keyId, model, answers, usedAtMs, lastPromptTokens } = bound;
    const isKnown = Number.isFinite(lastPromptTokens);
    return {
      userId,
      channelId,
      keyId,
      model,
      answers,
      usedAtMs,
      ...(isKnown && { promptTokens: lastPromptTokens }),
    };
  }

  /** The seat that a session moved away from; undefined if it never did. */
  movedFrom(userId: number, session: string): SeatName | undefined {
    return this.#users.get(userId)?.get(session)?.from;
  }

  /** Adds a session of an earlier run, unless it is known. Least recently used ones must come first. */
  restore(
    { id, answers, ...binding }: Binding & { readonly id: string; readonly answers: number },
    usedAtMs: number,
  ): void {
    if (this.#users.get(binding.userId)?.has(id) === true) return;
    this.bind(id, binding, usedAtMs);
    const bound = this.#users.get(binding.userId)?.get(id);
    if (bound !== undefined) bound.answers = answers;
  }

  #find(userId: number, session: string, nowMs: number, ttlMs: number): Stored | undefined {
    const sessions = this.#users.get(userId);
    const bound = sessions?.get(session);
    if (sessions === undefined || bound === undefined) return undefined;
    if (nowMs - bound.usedAtMs <= ttlMs) return bound;
    this.#drop(userId, sessions, session);
    return undefined;
  }

  /**
   * Records that a seat answered the session. A session that calls too often keeps its binding, while its other calls
   * go anywhere.
   * @returns whether other relays should be informed: it is new or has moved, or they were informed long ago
   */
  bind(session: string, binding: Binding, nowMs: number): boolean {
    const { userId, channelId, keyId, model, promptTokens } = binding;
    let sessions = this.#users.get(userId);
    if (sessions === undefined) this.#users.set(userId, (sessions = new Map()));
    const bound = sessions.get(session);
    if (bound?.channelId === channelId && bound.keyId === keyId) {
      bound.usedAtMs = nowMs;
      bound.answers += 1;
      bound.lastPromptTokens = promptTokens ?? bound.lastPromptTokens;
      sessions.delete(session);
      sessions.set(session, bound);
      if (nowMs - bound.toldAtMs < TELL_AGAIN_MS) return false;
      bound.toldAtMs = nowMs;
      return true;
    }
    if (bound !== undefined && isBusy(bound, nowMs)) return false;
    if (bound === undefined) {
      if (this.#size >= this.#most) this.#makeRoom(userId, sessions);
      this.#size += 1;
    }
    sessions.delete(session);
    sessions.set(session, {
      userId,
      channelId,
      keyId,
      model,
      from: bound && { channelId: bound.channelId, keyId: bound.keyId },
      boundAtMs: nowMs,
      usedAtMs: nowMs,
      answers: (bound?.answers ?? 0) + 1,
      // If the last length is unknown, assume that the whole next prompt is cached.
      lastPromptTokens: promptTokens ?? Infinity,
      minute: 0,
      calls: 0,
      toldAtMs: nowMs,
    });
    // Making room may have emptied and removed this user's map.
    this.#users.set(userId, sessions);
    return true;
  }

  /**
   * Records that another relay bound the session. If both bound it at the same time, all keep the seat with the lower
   * ids, because they would only swap seats otherwise; but not if the other relay moved away from our seat, which may
   * be dead. @returns whether both did, so that this relay should tell the other where the session is now
   */
  heard(session: string, binding: Binding, nowMs: number): boolean {
    const bound = this.#users.get(binding.userId)?.get(session);
    const isRace =
      bound !== undefined &&
      nowMs - bound.boundAtMs < AT_ONCE_MS &&
      !isSame(bound, binding) &&
      !isSame(bound, binding.from);
    if (isRace && isBefore(bound, binding)) return true;
    this.bind(session, binding, nowMs);
    // The other relay may have moved the session to the seat that this one leaves. Then each would take over the seat
    // that the other has given up.
    return isRace;
  }

  /**
   * A call of the session failed at the seats for which `isOf` is true. Forgets the session if it is bound to one of
   * them.
   */
  failed(userId: number, session: string, isOf: (seat: SeatName) => boolean): void {
    const sessions = this.#users.get(userId);
    const bound = sessions?.get(session);
    if (sessions !== undefined && bound !== undefined && isOf(bound)) this.#drop(userId, sessions, session);
  }

  /** @returns how many sessions were forgotten */
  forget({ channelId, modelPrefix = '' }: ForgottenSessions): number {
    let forgotten = 0;
    for (const [userId, sessions] of this.#users) {
      for (const [session, bound] of sessions) {
        if (channelId !== undefined && bound.channelId !== channelId) continue;
        if (!bound.model.startsWith(modelPrefix)) continue;
        this.#drop(userId, sessions, session);
        forgotten += 1;
      }
    }
    return forgotten;
  }

  /** How many sessions of each channel were used within `ttlMs`. */
  counts(nowMs: number, ttlMs: number): Map<number, number> {
    const counts = new Map<number, number>();
    for (const sessions of this.#users.values())
      for (const { channelId, usedAtMs } of sessions.values())
        if (nowMs - usedAtMs <= ttlMs) counts.set(channelId, (counts.get(channelId) ?? 0) + 1);
    return counts;
  }

  #makeRoom(userId: number, own: Map<string, Stored>): void {
    const share = this.#most / this.#users.size;
    const [from, sessions] = own.size >= share ? [userId, own] : (this.#overShare(share) ?? [userId, own]);
    const oldest = sessions.keys().next();
    if (oldest.done !== true) this.#drop(from, sessions, oldest.value);
  }

  /**
   * Finds a user with more sessions than `share`. Checks the last one found first, because a search looks at every
   * user.
   */
  #overShare(share: number): readonly [number, Map<string, Stored>] | undefined {
    if (this.#greedy !== undefined) {
      const sessions = this.#users.get(this.#greedy);
      if (sessions !== undefined && sessions.size > share) return [this.#greedy, sessions];
    }
    for (const [userId, sessions] of this.#users) {
      if (sessions.size <= share) continue;
      this.#greedy = userId;
      return [userId, sessions];
    }
    return undefined;
  }

  #drop(userId: number, sessions: Map<string, Stored>, session: string): void {
    sessions.delete(session);
    this.#size -= 1;
    if (sessions.size === 0) this.#users.delete(userId);
  }
}

const isSame = (one: SeatName, other: SeatName | undefined): boolean =>
  one.channelId === other?.channelId && one.keyId === other.keyId;

const isBefore = (one: SeatName, other: SeatName): boolean =>
  one.channelId === other.channelId ? one.keyId < other.keyId : one.channelId < other.channelId;

const isBusy = ({ minute, calls }: Stored, nowMs: number): boolean =>
  calls > MOST_CALLS_A_MINUTE && minute === Math.floor(nowMs / MINUTE_MS);
