import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { parsed } from '#contract/json-text.ts';
import type { News } from '#core/news.ts';

const TOPIC = 'queue';
const NAME_BYTES = 6;
/** How often others are told who waits here, and how long that is valid. */
const [TELL_EVERY_MS, VALID_MS] = [250, 700];
/**
 * A caller here lets one elsewhere go first if that one has waited longer by at least this much. After each change of
 * turns the place stays empty until the other relay looks, so turns are not too short.
 */
const TURN_MS = 2000;
const CHANNELS_MAX = 1000;
/** Sent instead of a time: nobody waits any more. */
const NOBODY = -1;

const messageShape = z.tuple([
  z.string().max(40),
  z.array(z.tuple([z.number().int(), z.number().min(NOBODY).max(1e9)])).max(CHANNELS_MAX),
]);

interface Waiting {
  readonly sinceMs: number;
  readonly atMs: number;
}

/**
 * Decides whose turn it is at a full channel for which callers of several relays or nodes wait. Each relay has its own
 * queue, and the relay that ends a call sees the free place first: without turns it would serve all of its own callers
 * before any other.
 */
export class QueueTurns {
  readonly #news: News;
  readonly #nowMs: () => number;
  readonly #name = randomBytes(NAME_BYTES).toString('base64url');
  /** By channel: how long the first in the queue of this relay has waited, as its start. */
  readonly #own = new Map<number, number>();
  /** By channel: the same for each other relay. */
  readonly #others = new Map<number, Map<string, Waiting>>();
  #timer: NodeJS.Timeout | undefined;

  /** @param nowMs monotonic */
  constructor(news: News, nowMs: () => number) {
    this.#news = news;
    this.#nowMs = nowMs;
    news.hear(TOPIC, (body) => this.#heard(body));
  }

  /** Notes the start of the wait of the first caller in a queue of this relay; undefined if the queue is empty. */
  waits(channelId: number, sinceMs: number | undefined): void {
    if (this.#own.get(channelId) === sinceMs) return;
    if (sinceMs === undefined) this.#own.delete(channelId);
    else this.#own.set(channelId, sinceMs);
    this.#tell([channelId]);
    if (this.#own.size > 0)
      this.#timer ??= setInterval(() => this.#tell([...this.#own.keys()]), TELL_EVERY_MS).unref();
    else {
      clearInterval(this.#timer);
      this.#timer = undefined;
    }
  }

  /** Whether a call that has waited here since that time leaves the next place to a caller of another relay. */
  yields(channelId: number, sinceMs: number): boolean {
    const others = this.#others.get(channelId);
    if (others === undefined) return false;
    const nowMs = this.#nowMs();
    for (const [name, waited] of others) {
      if (nowMs - waited.atMs >= VALID_MS) others.delete(name);
      else if (waited.sinceMs + TURN_MS < sinceMs) return true;
    }
    if (others.size === 0) this.#others.delete(channelId);
    return false;
  }

  #tell(channelIds: readonly number[]): void {
    const nowMs = this.#nowMs();
    const waited = channelIds.slice(0, CHANNELS_MAX).map((id) => {
      const sinceMs = this.#own.get(id);
      return [id, sinceMs === undefined ? NOBODY : Math.round(nowMs - sinceMs)];
    });
    this.#news.tell(TOPIC, JSON.stringify([this.#name, waited]));
  }

  #heard(body: string): void {
    const [name, waited] = messageShape.safeParse(parsed(body)).data ?? ['', []];
    const atMs = this.#nowMs();
    for (const [channelId, waitedMs] of waited) {
      const others = this.#others.get(channelId) ?? new Map<string, Waiting>();
      if (waitedMs === NOBODY) others.delete(name);
      else others.set(name, { sinceMs: atMs - waitedMs, atMs });
      if (others.size === 0) this.#others.delete(channelId);
      else if (this.#others.size < CHANNELS_MAX) this.#others.set(channelId, others);
    }
  }
}
