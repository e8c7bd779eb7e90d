import { z } from 'zod';

/**
 * Small messages between the relays of a process and between nodes. Every listener except the sender hears them. They are
 * sent in batches, within a fraction of a second. Best effort: messages are lost if there are too many, if they are too
 * long (`ITEM_BYTES_MAX`), or if the connection is down. So a message may improve something, but nothing may depend on it;
 * and it was true when it was sent, which may have changed. Nodes of another version may send messages that this one does
 * not understand.
 */
export interface News {
  /** Sends a message. Returns at once and never throws. */
  tell(topic: string, body: string): void;
  /** Listens to a topic. @returns a function that stops listening */
  hear(topic: string, listener: (body: string) => void): () => void;
}

/** One message to other relays and nodes: a short text under a topic. */
export interface NewsItem {
  readonly topic: string;
  readonly body: string;
}

/** The connection to other nodes. */
export interface NewsCarrier {
  /** The longest batch that one `send` takes, in bytes. */
  readonly batchBytesMax: number;
  /** Resolves when the batches have been sent. Rejects if they are lost. */
  send(batches: readonly string[]): Promise<void>;
  /** Called with batches of other nodes, never of this one. */
  hear(listener: (batch: string) => void): void;
  close(): Promise<void>;
}

/** For a process without other relays or nodes: sends nothing and receives nothing. */
export const silentNews: News = { tell: () => undefined, hear: () => () => undefined };

/** The most bytes of topic and body together, as sent: half of what PostgreSQL accepts in one notification. */
export const ITEM_BYTES_MAX = 4000;

/** Messages waiting to be sent. Bounded: new messages push out the oldest. */
export class NewsBacklog {
  readonly #itemsMax: number;
  readonly #charsMax: number;
  #items: NewsItem[] = [];
  /** The index of the oldest message: those before it were dropped. */
  #from = 0;
  #chars = 0;

  constructor(itemsMax: number, charsMax: number) {
    this.#itemsMax = itemsMax;
    this.#charsMax = charsMax;
  }

  get size(): number {
    return this.#items.length - this.#from;
  }

  add(item: NewsItem): void {
    const chars = item.topic.length + item.body.length;
    if (chars > ITEM_BYTES_MAX) return;
    this.#items.push(item);
    this.#chars += chars;
    while (this.size > this.#itemsMax || this.#chars > this.#charsMax) this.#drop();
  }

  /** Removes and returns all of them, oldest first. */
  takeAll(): readonly NewsItem[] {
    const items = this.#from === 0 ? this.#items : this.#items.slice(this.#from);
    this.#items = [];
    this.#from = 0;
    this.#chars = 0;
    return items;
  }

  #drop(): void {
    const oldest = this.#items[this.#from++];
    this.#chars -= (oldest?.topic.length ?? 0) + (oldest?.body.length ?? 0);
    if (this.#from <= this.#itemsMax) return;
    this.#items = this.#items.slice(this.#from);
    this.#from = 0;
  }
}

/**
 * Packs messages into JSON lists of topic, body, topic, body, each at most `bytesMax` long. A message that is too long
 * by itself is left out.
 */
export const packNews = (items: readonly NewsItem[], bytesMax: number): string[] => {
  const batches: string[] = [];
  let batch = '';
  let bytes = 0;
  for (const { topic, body } of items) {
    const text = `${JSON.stringify(topic)},${JSON.stringify(body)}`;
    const length = Buffer.byteLength(text) + 1;
    if (length > ITEM_BYTES_MAX) continue;
    if (bytes + length + 1 > bytesMax) {
      if (batch !== '') batches.push(`[${batch}]`);
      batch = '';
      bytes = 0;
    }
    batch = batch === '' ? text : `${batch},${text}`;
    bytes += length;
  }
  if (batch !== '') batches.push(`[${batch}]`);
  return batches;
};

const batchShape = z.array(z.string());

/** Reads what `packNews` wrote; returns nothing for any other text. */
export const unpackNews = (batch: string): NewsItem[] => {
  let parsed: unknown;
  try {
    parsed = JSON.parse(batch);
  } catch {
    return [];
  }
  const { data: texts = [] } = batchShape.safeParse(parsed);
  const items: NewsItem[] = [];
  for (let at = 0; at + 1 < texts.length; at += 2)
    items.push({ topic: texts[at] ?? '', body: texts[at + 1] ?? '' });
  return items;
};
