import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { KeyLimits } from '#core/channel/keys/pool.ts';
import type { RoomWish, SeatLease, SeatRoom } from '#core/channel/seats/seat-room.ts';
import type { SeatDayStore } from '#core/channel/seats/seat-day-store.ts';
import { PIECES, SeatUse } from '#core/channel/seats/seat-use.ts';
import type { Log } from '#core/logging.ts';
import type { News } from '#core/news.ts';
import { SeatDays } from './seat-days.ts';
import { MINUTE_MS } from '#core/time/spans.ts';

const TOPIC = 'room';
const TELL_EVERY_MS = 200;
/** The number of running calls is sent again after this time; a node that sends nothing counts as having none. */
const TELL_AGAIN_MS = 2000;
const SEATS_A_MESSAGE = 50;
const SEATS_MAX = 100_000;
const IDLE_MS = 86_400_000;
const NODE_NAME_LENGTH = 8;

/** Even numbers are channels, odd ones keys, whose ids are unique among all channels. */
const channelNumber = (id: number): number => id * 2;
const keyNumber = (id: number): number => id * 2 + 1;

const count = z.number().min(-1e12).max(1e12);

/** The seat, its calls and tokens since the last message, and its running calls. */
const messageShape = z.tuple([
  z.string().max(40),
  z.array(z.tuple([count.min(0), count.min(0), count, count.min(0)])).max(100),
]);

/**
 * A node that has joined asks the others for the use of the last minute: how often it asks, and how many times at most,
 * until one answers.
 */
const [ASK_EVERY_MS, MOST_ASKS] = [500, 4];
/** The most characters of a minute's use in one message, and the most seats reported. */
const [MINUTE_CHARS, MINUTE_SEATS_MAX] = [3000, 1000];

const joinShape = z.tuple([z.string().max(40), z.literal('joins')]);
const piecesShape = z.array(z.tuple([z.number().int().min(0).max(PIECES), count.min(0)])).max(PIECES + 1);
const minuteShape = z.tuple([
  z.string().max(40),
  z.literal('minute'),
  z.array(z.tuple([count.min(0), z.tuple([piecesShape, piecesShape])])).max(1000),
]);

/** Stores the calls of a day. */
export interface StoredDays {
  readonly store: SeatDayStore;
  /** By the wall clock. */
  readonly nowMs: () => number;
  readonly log: Pick<Log, 'error'>;
}

interface Since {
  calls: number;
  tokens: number;
  toldRunning: number;
  toldAtMs: number;
}

/**
 * Counts for all relays of this process: exactly, because nothing runs between check and reservation. Of other nodes it
 * knows their last reports, a fraction of a second old, so that nodes together may exceed a limit by what they take
 * meanwhile. The running calls of a dead node are dropped within seconds, because it sends no reports.
 */
export class CountedSeatRoom implements SeatRoom {
  readonly #nowMs: () => number;
  readonly #news: News;
  readonly #node = randomBytes(NODE_NAME_LENGTH / 2).toString('hex');
  readonly #seats = new Map<number, SeatUse>();
  readonly #untold = new Map<number, Since>();
  /** Set while there is something to send. */
  #timer: NodeJS.Timeout | undefined;
  /** Set while it waits for the use of the last minute. */
  #asking: NodeJS.Timeout | undefined;
  /**
   * The node that reported the last minute. Only one is accepted: two nodes' pieces begin at different times, so a
   * burst would be counted in both.
   */
  #toldBy: { readonly node: string; readonly untilMs: number } | undefined;
  #isClosed = false;
  readonly #wallMs: () => number;
  readonly #days: SeatDays | undefined;

  /**
   * @param nowMs monotonic
   * @param stored saves the calls of a day; without it a restart begins a new day
   */
  constructor(news: News, nowMs: () => number, stored?: StoredDays) {
    this.#nowMs = nowMs;
    this.#wallMs = stored?.nowMs ?? nowMs;
    this.#days =
      stored &&
      new SeatDays({
        ...stored,
        known: ({ seat, piece, calls }) => this.#use(seat).wasUsed(calls, piece, nowMs(), stored.nowMs()),
        tell: () => this.#tell(),
      });
    this.#news = news;
    news.hear(TOPIC, (body) => this.#heard(body));
  }

  /** Loads the day's calls of earlier runs and other nodes. */
  async start(): Promise<void> {
    await this.#days?.start();
  }

  /**
   * Asks other nodes for the use of the last minute, once they can be reached. Without other nodes, the minute begins
   * with the process.
   */
  join(): void {
    let left = MOST_ASKS;
    const ask = (): void => {
      left -= 1;
      if (left >= 0) return this.#news.tell(TOPIC, JSON.stringify([this.#node, 'joins']));
      clearInterval(this.#asking);
      this.#asking = undefined;
    };
    this.#asking = setInterval(ask, ASK_EVERY_MS).unref();
    ask();
  }

  /** Writes the day's counts and reads those of other nodes. */
  async share(): Promise<void> {
    await this.#days?.run();
  }

  freeInMs({ channelId, keyId, ofChannel, ofKey, tokens }: RoomWish): number {
    const nowMs = this.#nowMs();
    const wallMs = this.#wallMs();
    const free = (number: number, limits: KeyLimits | undefined): number =>
      limits === undefined
        ? nowMs
        : (this.#seats.get(number)?.freeAtMs(limits, tokens, nowMs, wallMs) ?? nowMs);
    const atMs = Math.max(free(channelNumber(channelId), ofChannel), free(keyNumber(keyId), ofKey));
    return atMs - nowMs;
  }

  take(wish: RoomWish): SeatLease | undefined {
    if (this.freeInMs(wish) > 0) return undefined;
    const { channelId, keyId, ofChannel, ofKey, tokens } = wish;
    const numbers: number[] = [];
    if (ofChannel !== undefined) numbers.push(channelNumber(channelId));
    if (ofKey !== undefined) numbers.push(keyNumber(keyId));
    const note = (calls = 1): void => {
      if (ofChannel !== undefined && ofChannel.callsPerDay > 0)
        this.#days?.note(channelNumber(channelId), calls);
      if (ofKey !== undefined && ofKey.callsPerDay > 0) this.#days?.note(keyNumber(keyId), calls);
    };
    note();
    for (const number of numbers) this.#note(number, { calls: 1, tokens, running: 1 });
    const counted = { atMs: this.#nowMs(), wallMs: this.#wallMs() };
    let isOver = false;
    return {
      end: (used) => {
        if (isOver) return;
        isOver = true;
        const isSent = used !== 'nothing sent';
        if (!isSent) note(-1);
        const change = used === undefined ? 0 : (isSent ? used : 0) - tokens;
        for (const number of numbers)
          this.#note(number, { calls: isSent ? 0 : -1, tokens: change, running: -1 }, counted);
      },
      more: (used) => {
        note();
        for (const number of numbers) this.#note(number, { calls: 1, tokens: used, running: 0 });
      },
    };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#timer);
    clearInterval(this.#asking);
    await this.#days?.close();
  }

  #note(
    number: number,
    { calls, tokens, running }: { calls: number; tokens: number; running: number },
    counted?: { readonly atMs: number; readonly wallMs: number },
  ): void {
    const use = this.#use(number);
    const nowMs = this.#nowMs();
    if (counted !== undefined && calls < 0) use.giveBackCall(counted, nowMs, this.#wallMs());
    if (counted !== undefined && tokens < 0) use.giveBack(-tokens, counted.atMs, nowMs);
    else use.add(Math.max(0, calls), tokens, nowMs, this.#wallMs());
    use.running += running;
    const since = this.#untold.get(number) ?? { calls: 0, tokens: 0, toldRunning: 0, toldAtMs: 0 };
    since.calls += calls;
    since.tokens += tokens;
    this.#untold.set(number, since);
    if (!this.#isClosed) this.#timer ??= setInterval(() => this.#tell(), TELL_EVERY_MS).unref();
  }

  #use(number: number): SeatUse {
    const known = this.#seats.get(number);
    if (known !== undefined) return known;
    if (this.#seats.size >= SEATS_MAX) this.#forgetIdle();
    const use = new SeatUse();
    this.#seats.set(number, use);
    return use;
  }

  /** Drops seats unused for a day; if there are none, the oldest one without running calls. */
  #forgetIdle(): void {
    const nowMs = this.#nowMs();
    for (const [number, use] of this.#seats)
      if (use.running === 0 && nowMs - use.usedAtMs > IDLE_MS) this.#seats.delete(number);
    for (const [number, use] of this.#seats) {
      if (this.#seats.size < SEATS_MAX) return;
      if (use.running === 0) this.#seats.delete(number);
    }
  }

  #tell(): void {
    if (this.#untold.size === 0) {
      clearInterval(this.#timer);
      this.#timer = undefined;
      return;
    }
    const nowMs = this.#nowMs();
    let rows: [number, number, number, number][] = [];
    for (const [number, since] of this.#untold) {
      const running = this.#seats.get(number)?.running ?? 0;
      const isNew = since.calls !== 0 || since.tokens !== 0 || since.toldRunning !== running;
      if (!isNew && (running === 0 || nowMs < since.toldAtMs + TELL_AGAIN_MS)) continue;
      // A call that was told of and not made stays counted there: others take no less than nothing.
      rows.push([number, Math.max(0, since.calls), since.tokens, running]);
      if (running === 0) this.#untold.delete(number);
      else this.#untold.set(number, { calls: 0, tokens: 0, toldRunning: running, toldAtMs: nowMs });
      if (rows.length === SEATS_A_MESSAGE) {
        this.#news.tell(TOPIC, JSON.stringify([this.#node, rows]));
        rows = [];
      }
    }
    if (rows.length > 0) this.#news.tell(TOPIC, JSON.stringify([this.#node, rows]));
  }

  /** Sends pending reports first: a node that received them after the minute would count them twice. */
  #tellMinute(): void {
    this.#tell();
    const nowMs = this.#nowMs();
    const used = [...this.#seats]
      .filter(([, use]) => nowMs - use.usedAtMs < MINUTE_MS)
      .slice(-MINUTE_SEATS_MAX);
    let rows: string[] = [];
    let chars = 0;
    const send = (): void => this.#news.tell(TOPIC, `["${this.#node}","minute",[${rows.join(',')}]]`);
    for (const [number, use] of used) {
      const row = JSON.stringify([number, use.minute(nowMs)]);
      if (chars + row.length > MINUTE_CHARS) {
        send();
        [rows, chars] = [[], 0];
      }
      rows.push(row);
      chars += row.length + 1;
    }
    send();
  }

  #heardMinute([node, , rows]: z.output<typeof minuteShape>, nowMs: number): void {
    if (this.#asking !== undefined) this.#toldBy = { node, untilMs: nowMs + ASK_EVERY_MS };
    clearInterval(this.#asking);
    this.#asking = undefined;
    if (this.#toldBy?.node !== node || nowMs > this.#toldBy.untilMs) return;
    for (const [number, used] of rows) this.#use(number).usedInMinute(used, nowMs);
  }

  #heard(body: string): void {
    let message: unknown;
    try {
      message = JSON.parse(body);
    } catch {
      return;
    }
    const nowMs = this.#nowMs();
    // A node that still waits for the minute itself cannot report it.
    if (joinShape.safeParse(message).success)
      return this.#asking === undefined ? this.#tellMinute() : undefined;
    const minute = minuteShape.safeParse(message).data;
    if (minute !== undefined) return this.#heardMinute(minute, nowMs);
    const [node, rows] = messageShape.safeParse(message).data ?? ['', []];
    for (const [number, calls, tokens, running] of rows) {
      const use = this.#use(number);
      use.add(calls, tokens, nowMs, this.#wallMs());
      use.runsElsewhere(node, running, nowMs);
    }
  }
}
