import { type MessageSocket, PAUSE_ABOVE_BYTES } from '#core/outbound/message-socket.ts';

const RESUME_BELOW_BYTES = 256 * 1024;

/** One message of a side. */
export interface Message {
  readonly data: Buffer;
  readonly isBinary: boolean;
}

/** One direction. It runs while nobody has it paused. */
export interface Pipe {
  pause(): void;
  resume(): void;
}

/**
 * Passes messages from one side to the other, no faster than that side reads. `pass` sees each message first and
 * returns what to forward, or nothing if it forwards the message later itself.
 */
export const pipe = (
  from: MessageSocket,
  to: MessageSocket,
  pass: (data: Buffer, isBinary: boolean) => Buffer | undefined,
): Pipe => {
  let pauses = 0;
  let isFull = false;
  const direction: Pipe = {
    pause() {
      pauses += 1;
      if (pauses === 1) from.pause();
    },
    resume() {
      pauses -= 1;
      if (pauses === 0) from.resume();
    },
  };
  from.onMessage = (data, isBinary) => {
    const shown = pass(data, isBinary);
    if (shown !== undefined) to.send(shown, isBinary);
    if (isFull || to.waitingBytes <= PAUSE_ABOVE_BYTES) return;
    isFull = true;
    direction.pause();
  };
  to.onSent = () => {
    if (!isFull || to.waitingBytes > RESUME_BELOW_BYTES) return;
    isFull = false;
    direction.resume();
  };
  return direction;
};

/**
 * For replies sent back to the side a direction comes from. Call the returned function after sending: the direction
 * pauses until the reply is read. Create it after both directions.
 */
export const pausedUntilRead = (from: MessageSocket, direction: Pipe): (() => void) => {
  let isFull = false;
  const { onSent } = from;
  from.onSent = () => {
    onSent?.();
    if (!isFull || from.waitingBytes > RESUME_BELOW_BYTES) return;
    isFull = false;
    direction.resume();
  };
  return () => {
    if (isFull || from.waitingBytes <= PAUSE_ABOVE_BYTES) return;
    isFull = true;
    direction.pause();
  };
};

/**
 * Messages for a caller, in order. A message that ends something charged waits until the charge is recorded, and all
 * later ones wait behind it.
 */
export class ChargedFirst {
  readonly #caller: MessageSocket;
  /** Each group begins with a message that is not charged yet. */
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

  /** Notes that the first of the waiting messages is charged. */
  charged(): void {
    for (const { data, isBinary } of this.#waiting.shift() ?? []) this.#caller.send(data, isBinary);
  }
}
