import type { Log } from '#core/logging.ts';
import { type News, NewsBacklog, type NewsCarrier, type NewsItem, packNews, unpackNews } from '#core/news.ts';

/** Another thread, or all other nodes, with whom news are exchanged. */
interface Neighbour {
  /** Delivers its news here and passes them on to all other neighbours. */
  readonly deliver: (items: readonly NewsItem[]) => void;
  readonly leave: () => void;
}

const TOGETHER_MS = 100;
const ITEMS_MAX = 2000;
const CHARS_MAX = 200_000;

/**
 * Delivers the news of one thread and passes them on to its neighbours. Those of the main thread are all further relays
 * and the other nodes; that of a further relay is the main thread. News of a tenth of a second are sent together.
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

  /** Adds a neighbour: `pass` receives all news from now on except its own. */
  join(pass: (items: readonly NewsItem[]) => void): Neighbour {
    const neighbour: Neighbour = {
      deliver: (items) => {
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

/**
 * Adds the other nodes as a neighbour. One batch is sent at a time; news wait meanwhile, and if too many wait, the
 * oldest are dropped.
 */
export const joinNodesNews = (desk: NewsDesk, carrier: NewsCarrier): { close(): Promise<void> } => {
  const waiting = new NewsBacklog(ITEMS_MAX, CHARS_MAX);
  let sending = Promise.resolve();
  // Apart from the promise: where nothing of a batch can be sent, all is done before there is one.
  let isSending = false;
  const sendAll = async (): Promise<void> => {
    isSending = true;
    while (waiting.size > 0) {
      const batches = packNews(waiting.takeAll(), carrier.batchBytesMax);
      // News may get lost; the next batch may arrive.
      if (batches.length > 0) await carrier.send(batches).catch(() => undefined);
    }
    isSending = false;
  };
  const neighbour = desk.join((items) => {
    for (const item of items) waiting.add(item);
    if (!isSending) sending = sendAll();
  });
  carrier.hear((batch) => neighbour.deliver(unpackNews(batch)));
  return {
    async close() {
      neighbour.leave();
      await sending;
      await carrier.close();
    },
  };
};
