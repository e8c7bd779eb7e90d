import { type Signal, signal } from '../../../lib/browser/signal.ts';
import type { ChatRequest } from './chat-request.ts';

/** The part of an answer that has arrived. */
export interface Arrived {
  readonly status: number;
  readonly answer: string;
  readonly isCut: boolean;
}

/** The raw request and response of one reply. Kept only while the page is open. */
export interface Exchange {
  readonly method: 'POST';
  readonly path: string;
  /** The body as it was sent, indented. */
  readonly request: string;
  /** 0 until an answer begins. */
  status: number;
  /** The raw answer, up to a size limit. */
  answer: string;
  isCut: boolean;
  /** The snapshot for viewers, updated with a short delay. */
  readonly shown: Signal<Arrived>;
}

/** The update interval: short enough to look live. */
const SHOWN_EVERY_MS = 120;

const ANSWER_MAX_CHARACTERS = 512 * 1024;
const KEPT_EXCHANGES = 20;

export const newExchange = ({ path, body }: ChatRequest): Exchange => ({
  method: 'POST',
  path,
  request: JSON.stringify(body, undefined, 2),
  status: 0,
  answer: '',
  isCut: false,
  shown: signal<Arrived>({ status: 0, answer: '', isCut: false }),
});

const waiting = new WeakSet<Exchange>();

/** Schedules an update of the snapshot. */
export const tell = (exchange: Exchange): void => {
  if (waiting.has(exchange)) return;
  waiting.add(exchange);
  setTimeout(() => {
    waiting.delete(exchange);
    const { status, answer, isCut } = exchange;
    exchange.shown.set({ status, answer, isCut });
  }, SHOWN_EVERY_MS);
};

const noted = (exchange: Exchange, text: string): void => {
  const room = ANSWER_MAX_CHARACTERS - exchange.answer.length;
  exchange.isCut ||= text.length > room;
  exchange.answer += text.slice(0, room);
  tell(exchange);
};

/** Passes the bytes on and records them. */
export const recorded = (
  exchange: Exchange,
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
): ReadableStream<Uint8Array> => {
  const decoder = new TextDecoder();
  return body.pipeThrough(
    new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array>({
      transform(chunk, out) {
        noted(exchange, decoder.decode(chunk, { stream: true }));
        out.enqueue(chunk);
      },
    }),
  );
};

/** The exchanges of the last replies, by the reply's id. */
export type Exchanges = Map<string, Exchange>;

export const keepExchange = (exchanges: Exchanges, id: string, exchange: Exchange): void => {
  exchanges.set(id, exchange);
  const [oldest] = exchanges.keys();
  if (exchanges.size > KEPT_EXCHANGES && oldest !== undefined) exchanges.delete(oldest);
};
