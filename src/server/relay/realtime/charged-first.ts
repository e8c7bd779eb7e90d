import type { MessageSocket } from '#core/message-socket.ts';
import type { Message } from './pipe.ts';

/**
 * The messages for a caller, in order. One that ends something that costs waits until that is charged, and all that come
 * after it wait behind it.
 */
export class ChargedFirst {
  readonly #caller: MessageSocket;
  /** Each begins with a message that is not charged yet. */
  readonly #waiting: Message[][] = [];

  constructor(caller: MessageSocket) {
    this.#caller = caller;
  }

  get isWaiting(): boolean {
    return this.#waiting.length > 0;
  }

  /** Returns what can be forwarded at once. */
  take(message: Message, isCharged: boolean): Buffer | undefined {
    if (isCharged) this.#waiting.push([message]);
    else if (this.isWaiting) this.#waiting.at(-1)?.push(message);
    else return message.data;
    return undefined;
  }

  /** What waits longest is charged. */
  charged(): void {
    for (const { data, isBinary } of this.#waiting.shift() ?? []) this.#caller.send(data, isBinary);
  }
}
