import { AwakeTimer } from '#core/time/awake-timer.ts';
import { tooLate } from '#core/channel/health/patience.ts';
import type { MessageSocket } from '#core/outbound/message-socket.ts';

const MOST_WAITING = 64;

export interface Timeouts {
  /** The longest wait for the first message. */
  readonly firstMs: number;
  /** The longest wait between messages. */
  readonly idleMs: number;
}

/** The messages of a WebSocket, read one by one. The socket is paused while too many are unread. */
export class MessageQueue {
  readonly #socket: MessageSocket;
  readonly #timeouts: Timeouts;
  readonly #waiting: Buffer[] = [];
  #wake: (() => void) | undefined;
  #closed = false;
  #began = false;

  constructor(socket: MessageSocket, timeouts: Timeouts) {
    this.#socket = socket;
    this.#timeouts = timeouts;
    socket.onMessage = (data) => {
      this.#waiting.push(data);
      if (this.#waiting.length >= MOST_WAITING) socket.pause();
      this.#wake?.();
    };
    socket.onClose = () => {
      this.#closed = true;
      this.#wake?.();
    };
    socket.resume();
  }

  /** The next message; undefined once the connection is closed. Throws `upstream_timeout` where none comes in time. */
  async next(): Promise<Buffer | undefined> {
    if (this.#waiting.length === 0 && !this.#closed) await this.#something();
    const message = this.#waiting.shift();
    if (message === undefined) return undefined;
    this.#began = true;
    if (this.#waiting.length === 0 && !this.#closed) this.#socket.resume();
    return message;
  }

  close(): void {
    this.#socket.close(1000, '');
  }

  #something(): Promise<void> {
    const { firstMs, idleMs } = this.#timeouts;
    return new Promise((resolve, reject) => {
      const limitMs = this.#began ? idleMs : firstMs;
      const timer = new AwakeTimer(limitMs, () => {
        this.#wake = undefined;
        this.close();
        reject(tooLate(this.#began ? 'silence' : 'event', limitMs));
      });
      this.#wake = () => {
        this.#wake = undefined;
        timer.stop();
        resolve();
      };
    });
  }
}
