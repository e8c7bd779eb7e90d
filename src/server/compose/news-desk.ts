import type { Log } from '#core/logging.ts';
import { type News, NewsBacklog, type NewsCarrier, type NewsItem, packNews, unpackNews } from '#core/news.ts';

/** One who hears what is told here: another thread, or the other nodes. */
interface Neighbour {
  /** It has told something: everybody here and every other neighbour hears it. */
  readonly told: (items: readonly NewsItem[]) => void;
  readonly leave: () => void;
}

const TOGETHER_MS = 100;
const ITEMS_MAX = 2000;
const CHARS_MAX = 200_000;

/**
 * The news of one thread, and where they are passed on to its neighbours: of the main thread all further relays and the
 * other nodes, of a further relay the main thread. What is told within a tenth of a second goes out together.
 */
export class NewsDesk implements News {
  readonly #log: Log;
  readonly #listeners = new Map<string, Set<(body: string) => void>>();
  readonly #neighbours = new Map<Neighbour, (items: readonly NewsItem[]) => void>();
  readonly #waiting = new NewsBacklog(ITEMS_MAX, CHARS_MAX);

  constructor(log: Log) {
    this.#log = log;
  }

  tell(topic: string, body: string): void {
    if (this.#neighbours.size === 0) return;
    const isFirst = this.#waiting.size === 0;
    this.#waiting.add({ topic, body });
    if (isFirst) setTimeout(() => this.#passOn(this.#waiting.takeAll()), TOGETHER_MS).unref();
  }

  hear(topic: string, listener: (body: string) => void): () => void {
    const listeners = this.#listeners.get(topic) ?? new Set();
    this.#listeners.set(topic, listeners.add(listener));
    return () => void listeners.delete(listener);
  }

  /** `pass` gets everything that is told here from now on, but what the neighbour has told itself. */
  join(pass: (items: readonly NewsItem[]) => void): Neighbour {
    const neighbour: Neighbour = {
      told: (items) => {
        this.#deliver(items);
        this.#passOn(items, neighbour);
      },
      leave: () => void this.#neighbours.delete(neighbour),
    };
    this.#neighbours.set(neighbour, pass);
    return neighbour;
  }

  #passOn(items: readonly NewsItem[], from?: Neighbour): void {
    for (const [neighbour, pass] of this.#neighbours) if (neighbour !== from) pass(items);
  }

  #deliver(items: readonly NewsItem[]): void {
    for (const { topic, body } of items)
      for (const listener of this.#listeners.get(topic) ?? []) {
        try {
          listener(body);
        } catch (error) {
          this.#log.error('a message of another node could not be used', { topic, error });
        }
      }
  }
}

/** Joins the other nodes: one batch is on its way at a time, and what comes meanwhile waits, the oldest dropped. */
export const joinNodesNews = (desk: NewsDesk, carrier: NewsCarrier): { close(): Promise<void> } => {
  const waiting = new NewsBacklog(ITEMS_MAX, CHARS_MAX);
  let sending: Promise<void> | undefined;
  const sendAll = async (): Promise<void> => {
    while (waiting.size > 0) {
      const batches = packNews(waiting.takeAll(), carrier.batchBytesMax);
      // What is lost is lost: the next may arrive.
      if (batches.length > 0) await carrier.send(batches).catch(() => undefined);
    }
    sending = undefined;
  };
  const neighbour = desk.join((items) => {
    for (const item of items) waiting.add(item);
    sending ??= sendAll();
  });
  carrier.hear((batch) => neighbour.told(unpackNews(batch)));
  return {
    async close() {
      neighbour.leave();
      await sending;
      await carrier.close();
    },
  };
};
