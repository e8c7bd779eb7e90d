import type { MessageSocket } from '#core/message-socket.ts';

/** Above this a side is not read any further until the other has taken what waits for it. */
const PAUSE_ABOVE_BYTES = 1024 * 1024;
const RESUME_BELOW_BYTES = 256 * 1024;

/**
 * Passes messages from one side to the other, no faster than that side takes them. `pass` sees each one first, and
 * says what goes on; nothing, where it sends it later itself.
 */
export const pipe = (
  from: MessageSocket,
  to: MessageSocket,
  pass: (data: Buffer, isBinary: boolean) => Buffer | undefined,
): void => {
  let isPaused = false;
  from.onMessage = (data, isBinary) => {
    const shown = pass(data, isBinary);
    if (shown !== undefined) to.send(shown, isBinary);
    if (to.waitingBytes <= PAUSE_ABOVE_BYTES) return;
    isPaused = true;
    from.pause();
  };
  to.onSent = () => {
    if (!isPaused || to.waitingBytes > RESUME_BELOW_BYTES) return;
    isPaused = false;
    from.resume();
  };
};
