import type { MessageSocket } from '#core/message-socket.ts';

/** Above this a side is not read any further until the other has taken what waits for it. */
const PAUSE_ABOVE_BYTES = 1024 * 1024;
const RESUME_BELOW_BYTES = 256 * 1024;

/** One direction. It runs when everyone who has paused it has let it go on. */
export interface Pipe {
  pause(): void;
  resume(): void;
}

/**
 * Passes messages from one side to the other, no faster than that side takes them. `pass` sees each one first, and
 * says what goes on; nothing, where it sends it later itself.
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
