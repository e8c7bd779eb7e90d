import type { Duplex } from 'node:stream';
import { closeCode } from '#core/outbound/message-socket.ts';
import type { RoomShare } from '#core/limits/shared-room.ts';

/** How much of a message any connection may send before it is counted. */
const UNCOUNTED_BYTES = 64 * 1024;
/** Until then the other side can read the reason for closing; nothing more is read from it. */
const CUT_AFTER_MS = 1000;

/** The part of a `ws` socket that is used here. */
interface ArrivingAt {
  on(event: 'message' | 'close', listener: () => void): unknown;
  close(code: number, reason: string): void;
  pause(): void;
  terminate(): void;
}

/** Closes a connection at once, and reads no further. */
type CloseEarly = (code: number, reason: string) => void;

/**
 * Counts an incoming message until it is complete, because `ws` buffers it, up to the longest message for each
 * connection. Closes the connection if there is no room for more. A complete message is no longer counted here.
 * @returns what closes the connection for another reason
 */
export const countArriving = (socket: Duplex, raw: ArrivingAt, room: RoomShare): CloseEarly => {
  let arrived = 0;
  let isClosing = false;
  const close: CloseEarly = (code, reason) => {
    if (isClosing) return;
    isClosing = true;
    raw.close(code, reason);
    // Otherwise data would be read and buffered until the other side answers.
    raw.pause();
    setTimeout(() => raw.terminate(), CUT_AFTER_MS).unref();
  };
  socket.on('data', (bytes: Buffer) => {
    if (isClosing) {
      raw.pause();
      return;
    }
    arrived += bytes.length;
    const more = arrived - UNCOUNTED_BYTES - room.heldBytes;
    if (more <= 0) return;
    try {
      room.take(more);
    } catch {
      close(closeCode.tryLater, 'too much is received at once, try again');
    }
  });
  raw.on('message', () => {
    arrived = 0;
    room.give(room.heldBytes);
  });
  raw.on('close', () => room.release());
  return close;
};
