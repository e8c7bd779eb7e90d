import type { MessageSocket } from '#core/outbound/message-socket.ts';

/**
 * A silent side is pinged at this interval, and counts as gone after this many unanswered pings. Pings while we do not read
 * do not count.
 */
const PING_EVERY_MS = 30_000;
const MOST_UNANSWERED = 3;

/** Watches whether the other ends of connections are still there. */
export interface Presence {
  /** Notes that this side has sent something. */
  seen(socket: MessageSocket): void;
  stop(): void;
}

/** Watches sockets. `lost` is called once for a connection that drops silently: it would keep its hold forever. */
export const watchPresence = (sockets: readonly MessageSocket[], lost: () => void): Presence => {
  const unanswered = new Map(sockets.map((socket) => [socket, 0]));
  const askAll = (): void => {
    for (const [socket, count] of unanswered) {
      if (count >= MOST_UNANSWERED && !socket.isPaused) {
        lost();
        socket.cut();
        return;
      }
      unanswered.set(socket, socket.isPaused ? 0 : count + 1);
      socket.ping();
    }
  };
  const seen = (socket: MessageSocket): void => void unanswered.set(socket, 0);
  for (const socket of sockets) socket.onPong = () => seen(socket);
  const timer = setInterval(askAll, PING_EVERY_MS);
  timer.unref();
  return { seen, stop: () => clearInterval(timer) };
};
