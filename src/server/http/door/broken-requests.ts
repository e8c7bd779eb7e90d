import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { REQUEST_ID_HEADER } from '#contract/limits.ts';

/** Connections that have received their last answer. Anything that arrives on them now is not a request. */
const lastAnswered = new WeakSet<Duplex>();
/** Requests that were answered before their bodies had arrived. If the rest breaks off, there is no second answer. */
const answeredEarly = new WeakMap<Duplex, IncomingMessage>();
/** Connections that received an invalid request while earlier requests were still being answered. */
const brokenBehind = new WeakSet<Duplex>();

export const hadLastAnswer = (socket: Duplex): void => void lastAnswered.add(socket);

export const wasAnsweredEarly = (socket: Duplex, request: IncomingMessage): void =>
  void answeredEarly.set(socket, request);

const STATUSES: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
};

/** Ends a connection with a status line, and an id like every other answer. */
export const turnAway = (nextId: () => string, socket: Duplex, status: string): void => {
  const id = `${REQUEST_ID_HEADER}: ${nextId()}`;
  socket.end(`HTTP/1.1 ${status}\r\n${id}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
};

/**
 * Nobody waits for the rest of a refused request. It may still arrive, and must not be served: the caller was told that it was not.
 * The connection stays, so that the caller can read that.
 */
const giveUp = (request: IncomingMessage): void => {
  request._destroy = (error, done) => done(error);
  request.destroy();
};

/**
 * Answers bytes that could not be parsed as a request. Valid requests before them get their answers first, because
 * the refusal would be taken for theirs, and they are charged.
 */
export const refuseBroken =
  (
    nextId: () => string,
    answersOn: (socket: Duplex) => Iterable<Pick<ServerResponse, 'req' | 'once'>>,
  ): ((error: NodeJS.ErrnoException, socket: Duplex) => void) =>
  (error, socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    if (brokenBehind.has(socket)) return;
    const refuse = (): void => {
      if (!socket.writable) return;
      if (lastAnswered.has(socket) || answeredEarly.get(socket)?.complete === false) socket.end();
      else turnAway(nextId, socket, STATUSES[error.code ?? ''] ?? '400 Bad Request');
      for (const { req } of answersOn(socket)) if (!req.complete) giveUp(req);
    };
    const last = [...answersOn(socket)].findLast(({ req }) => req.complete);
    if (last === undefined) {
      refuse();
      return;
    }
    brokenBehind.add(socket);
    last.once('close', refuse);
  };

/** Serves a request for a WebSocket once those before it on the connection have their answers, which would be mixed up. */
export const whenItsTurn = (
  answers: Iterable<Pick<ServerResponse, 'once'>>,
  socket: Duplex,
  serve: () => void,
): void => {
  const serveWritable = (): void => {
    if (socket.writable) serve();
  };
  const last = [...answers].at(-1);
  if (last === undefined) {
    serveWritable();
    return;
  }
  socket.on('error', () => socket.destroy());
  last.once('close', serveWritable);
};

/** How long a client that was refused may take to close its side. */
const LINGER_MS = 1000;

/** After the last answer on a connection that node's server has given up: reads what still comes, then closes it. */
export const hangUp = (socket: Duplex): void => {
  socket.resume();
  const linger = setTimeout(() => socket.destroy(), LINGER_MS);
  linger.unref();
  socket.once('close', () => clearTimeout(linger));
};
