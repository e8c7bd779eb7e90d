import { z } from 'zod';
import type { News } from '#core/news.ts';
import type { SeatId } from './health-node.ts';

/** A seat that refuses a model's calls as if the calls were wrong, while other seats answer them. */
export interface BlamedSeat {
  readonly channelId: number;
  /** 0 for the channel's only key. */
  readonly keyId: number;
  /** The name under which the model's health is stored. */
  readonly model: string;
  /** The message of its refusal. */
  readonly words: string;
  /** How many such calls it has refused since its last answer, as far as this relay knows. */
  readonly calls: number;
  /** When it was first seen; monotonic. */
  readonly sinceMs: number;
  readonly lastMs: number;
}

const TOPIC = 'blamed';
const MOST_SEATS = 1000;
const WORDS_LENGTH = 300;
/** A single call is not enough: it may ask for something that only some channels support. */
const LEAST_CALLS = 2;
/** A seat that refuses no such call for this long is forgotten. */
const KEPT_MS = 6 * 3_600_000;

const id = z.number().int().nonnegative();
const newsShape = z.object({
  channelId: id,
  keyId: id,
  model: z.string().max(500),
  /** Missing if the seat answers again. */
  words: z.string().max(WORDS_LENGTH).optional(),
});

/**
 * The seats that refuse what others answer, for the list of problems that need an admin. Relays and nodes tell each
 * other.
 */
export class BlamedSeats {
  readonly #news: News;
  readonly #seats = new Map<string, BlamedSeat>();

  constructor(news: News, nowMs: () => number) {
    this.#news = news;
    news.hear(TOPIC, (body) => {
      const heard = readNews(body);
      if (heard === undefined) return;
      const { channelId, keyId, model, words } = heard;
      const seat = { id: channelId, keyId };
      if (words === undefined) this.#seats.delete(keyOf(seat, model));
      else this.#add(seat, model, words, nowMs());
    });
  }

  /** Notes that the seat refused a call that another seat has answered. */
  refused(seat: SeatId, model: string, words: string, nowMs: number): void {
    const said = words.slice(0, WORDS_LENGTH);
    this.#add(seat, model, said, nowMs);
    this.#tell(seat, model, said);
  }

  /** Notes an answer of the seat. If no seat is blamed, this only compares a number. */
  answered(seat: SeatId, model: string): void {
    if (this.#seats.size === 0 || !this.#seats.delete(keyOf(seat, model))) return;
    this.#tell(seat, model);
  }

  /** The seats that have refused often enough, in the order in which they were first seen. */
  list(nowMs: number): BlamedSeat[] {
    return [...this.#seats.values()].filter(
      ({ calls, lastMs }) => calls >= LEAST_CALLS && nowMs < lastMs + KEPT_MS,
    );
  }

  #add(seat: SeatId, model: string, words: string, nowMs: number): void {
    const key = keyOf(seat, model);
    const { calls = 0, sinceMs = nowMs } = this.#seats.get(key) ?? {};
    const { id: channelId, keyId } = seat;
    this.#seats.set(key, { channelId, keyId, model, words, calls: calls + 1, sinceMs, lastMs: nowMs });
    if (this.#seats.size <= MOST_SEATS) return;
    const [oldest] = this.#seats.keys();
    if (oldest !== undefined) this.#seats.delete(oldest);
  }

  #tell({ id: channelId, keyId }: SeatId, model: string, words?: string): void {
    this.#news.tell(TOPIC, JSON.stringify({ channelId, keyId, model, words }));
  }
}

const keyOf = ({ id: channelId, keyId }: SeatId, model: string): string =>
  `${String(channelId)} ${String(keyId)} ${model}`;

const readNews = (body: string): z.infer<typeof newsShape> | undefined => {
  try {
    return newsShape.safeParse(JSON.parse(body)).data;
  } catch {
    return undefined;
  }
};
