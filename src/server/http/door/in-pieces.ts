import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** A piece ends with the first head that ends behind so many bytes. */
const LEAST_BYTES = 256;
const HEAD_END = '\r\n\r\n';
const NOTHING = Buffer.alloc(0);

interface Feed {
  /** What has been received and not been given to node's server. */
  rest: Buffer;
  readonly stop: () => void;
}

const feeds = new WeakMap<Duplex, Feed>();

const lengthOfPiece = (bytes: Buffer): number => {
  const end = bytes.indexOf(HEAD_END, LEAST_BYTES, 'latin1');
  return end === -1 ? bytes.length : end + HEAD_END.length;
};

/**
 * Gives node's server the bytes of a connection a few requests at a time. It begins every request it is given before a
 * connection that asks too much can be cut: 64 KiB, one read, may be thousands of requests of some kilobytes each, and a few
 * hundred such connections were enough to use up the memory.
 */
export const giveInPieces = (socket: Socket): void => {
  const readers = socket.listeners('data');
  socket.removeAllListeners('data');
  const onData = (bytes: Buffer): void => {
    feed.rest = bytes;
    while (feed.rest.length > 0 && !socket.destroyed) {
      // Node has paused it, until answers are read or a body is wanted.
      if (socket.isPaused()) {
        socket.unshift(feed.rest);
        return;
      }
      const length = lengthOfPiece(feed.rest);
      const piece = feed.rest.subarray(0, length);
      feed.rest = feed.rest.subarray(length);
      for (const read of readers) Reflect.apply(read, socket, [piece]);
    }
  };
  const feed: Feed = { rest: NOTHING, stop: () => void socket.off('data', onData) };
  feeds.set(socket, feed);
  // A listener of ours also makes node read the socket as a stream, not around it.
  socket.on('data', onData);
};

/** Everything that was received behind the head of a request for another protocol; from now on its reader gets all bytes. */
export const bytesBehind = (socket: Duplex, givenBack: Buffer): Buffer => {
  const feed = feeds.get(socket);
  if (feed === undefined) return givenBack;
  const { rest } = feed;
  feed.rest = NOTHING;
  feed.stop();
  return Buffer.concat([givenBack, rest]);
};
