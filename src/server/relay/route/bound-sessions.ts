import type { BoundSession, BoundSessionStore } from '#core/channel/selection/bound-session-store.ts';
import type { ForgottenSessions, SessionBindings } from '#core/channel/selection/session-bindings.ts';
import type { Clock } from '#core/clock.ts';
import type { Log } from '#core/logging.ts';

/** Rows are collected for this long and written together. */
const WRITE_AFTER_MS = 5000;
/** At most this many rows wait, so that a failing database does not fill the memory. */
const WAITING_MAX = 20_000;
/** No session stays for longer than a day, whatever the options say. */
const KEPT_MS = 86_400_000;
/** The number that one relay remembers. The table may have somewhat more until the next cleanup. */
const KEPT_MAX = 50_000;
const PRUNE_AFTER_ROWS = 10_000;

interface BoundSessionsDeps {
  readonly store: BoundSessionStore;
  readonly clock: Pick<Clock, 'now' | 'monotonic'>;
  readonly log: Pick<Log, 'error'>;
}

/**
 * Stores which seat answered which session, so that a restart does not lose prompt caches. A session in use is written
 * once a minute, by the relay that serves it.
 */
export class BoundSessions {
  readonly #deps: BoundSessionsDeps;
  readonly #bindings: SessionBindings;
  /** Sessions not written yet: id → user. */
  #waiting = new Map<string, number>();
  #timer: NodeJS.Timeout | undefined;
  #rowsSincePruned = PRUNE_AFTER_ROWS;

  constructor(deps: BoundSessionsDeps, bindings: SessionBindings) {
    this.#deps = deps;
    this.#bindings = bindings;
  }

  /** Loads what earlier runs and other nodes stored. Never rejects. */
  async load(): Promise<void> {
    const { store, clock } = this.#deps;
    try {
      const nowMs = clock.now();
      const sessions = await store.usedSince(nowMs - KEPT_MS, KEPT_MAX);
      const behindMs = nowMs - clock.monotonic();
      for (const session of sessions)
        this.#bindings.restore(session, Math.min(session.usedAtMs, nowMs) - behindMs);
    } catch (error) {
      this.#deps.log.error('the channels of sessions could not be read', { error });
    }
  }

  note(id: string, userId: number): void {
    if (this.#waiting.size >= WAITING_MAX && !this.#waiting.has(id)) return;
    this.#waiting.set(id, userId);
    this.#timer ??= setTimeout(() => void this.flush(), WRITE_AFTER_MS).unref();
  }

  /** Writes what waits. Never rejects. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const rows = this.#rows();
    this.#waiting = new Map();
    if (rows.length === 0) return;
    const { store, clock, log } = this.#deps;
    try {
      await store.save(rows);
      this.#rowsSincePruned += rows.length;
      if (this.#rowsSincePruned < PRUNE_AFTER_ROWS) return;
      this.#rowsSincePruned = 0;
      await store.prune(clock.now() - KEPT_MS, KEPT_MAX);
    } catch (error) {
      // Not retried: sessions in use are written again in a minute.
      log.error('the channels of sessions could not be stored', { error });
    }
  }

  /** Deletes stored sessions. Never rejects. */
  async forget(which: ForgottenSessions): Promise<void> {
    try {
      await this.#deps.store.forget(which);
    } catch (error) {
      this.#deps.log.error('the channels of sessions could not be forgotten', { error });
    }
  }

  #rows(): BoundSession[] {
    const { clock } = this.#deps;
    const behindMs = clock.now() - clock.monotonic();
    const rows: BoundSession[] = [];
    for (const [id, userId] of this.#waiting) {
      const bound = this.#bindings.stored(userId, id);
      if (bound !== undefined) rows.push({ ...bound, id, usedAtMs: Math.round(bound.usedAtMs + behindMs) });
    }
    return rows;
  }
}
