import type { MessageSocket } from '#core/outbound/message-socket.ts';
import type { Secrets } from '#core/secrets/secrets.ts';
import { isLong } from './read-messages.ts';

/**
 * An upstream's end of a conversation whose long messages are masked piece by piece, while other calls go on. What comes
 * after one, the close too, is passed on after it.
 */
export const maskedInTurns = (socket: MessageSocket, secrets: Secrets): MessageSocket => {
  /** What has arrived since a long message that is being masked; undefined while there is none. */
  let waiting: (() => void | Promise<void>)[] | undefined;
  let isPaused = false;

  const tellAll = async (steps: readonly (() => void | Promise<void>)[]): Promise<void> => {
    // `steps` grows meanwhile.
    for (const step of steps) await step();
    waiting = undefined;
    if (!isPaused) socket.resume();
  };

  const later = (step: () => void | Promise<void>): void => {
    if (waiting?.push(step) !== undefined) return;
    socket.pause();
    waiting = [step];
    void tellAll(waiting);
  };

  const shown: MessageSocket = {
    onMessage: undefined,
    onPong: undefined,
    onSent: undefined,
    onClose: undefined,
    get waitingBytes() {
      return socket.waitingBytes;
    },
    get isPaused() {
      return socket.isPaused;
    },
    send: (data, isBinary) => socket.send(data, isBinary),
    pause() {
      isPaused = true;
      socket.pause();
    },
    resume() {
      isPaused = false;
      if (waiting === undefined) socket.resume();
    },
    close: (code, reason) => socket.close(code, reason),
    ping: () => socket.ping(),
    cut: () => socket.cut(),
  };
  socket.onMessage = (data, isBinary) => {
    const tell = (): void => shown.onMessage?.(data, isBinary);
    if (isLong(data)) later(() => secrets.maskInTurns(data).then(tell));
    else if (waiting === undefined) tell();
    else waiting.push(tell);
  };
  socket.onClose = (code, reason) => {
    const tell = (): void => shown.onClose?.(code, reason);
    if (waiting === undefined) tell();
    else waiting.push(tell);
  };
  socket.onPong = () => shown.onPong?.();
  socket.onSent = () => shown.onSent?.();
  return shown;
};
