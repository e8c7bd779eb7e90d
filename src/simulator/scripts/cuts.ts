import type { Script } from '../script.ts';
import { startStream, type Call } from '../wire.ts';
import { events, usageEvent, whole } from './good-parts.ts';

/** Sends what is buffered so far, then does `cut` to the socket. */
const afterFlush = (
  call: Call,
  text: string,
  cut: (socket: NonNullable<Call['response']['socket']>) => void,
): void => {
  const { response } = call;
  startStream(response);
  response.write(text, () => {
    const { socket } = response;
    // Gives the bytes time to leave; a reset would discard them.
    if (socket !== null) setTimeout(() => cut(socket), 20);
  });
};

const half = (call: Call): string =>
  call.stream ? events(call).slice(0, 4).join('') : JSON.stringify(whole(call)).slice(0, 100);

/** Upstreams that end the connection at the wrong moment. */
export const cuts: Readonly<Record<string, Script>> = {
  reset: {
    description: 'resets the connection instead of answering',
    outcome: 'refused',
    run: ({ response }) => void response.socket?.resetAndDestroy(),
  },
  'close-unanswered': {
    description: 'closes the connection without a byte',
    outcome: 'refused',
    run: ({ response }) => void response.socket?.destroy(),
  },
  'reset-mid-stream': {
    description: 'resets the connection half way through the answer',
    outcome: 'broken-off',
    run: (call) => afterFlush(call, half(call), (socket) => socket.resetAndDestroy()),
  },
  'reset-after-finish': {
    description:
      'says everything, why it ends and what it used, and resets the connection before the end mark',
    outcome: 'answer',
    streamOnly: true,
    run: (call) =>
      afterFlush(call, events(call).join('') + usageEvent(call), (socket) => socket.resetAndDestroy()),
  },
  'hang-after-finish': {
    description:
      'says everything, why it ends and what it used, and then neither an end mark nor anything else',
    outcome: 'answer',
    hangs: true,
    streamOnly: true,
    run: (call) => {
      startStream(call.response);
      call.response.write(events(call).join('') + usageEvent(call));
    },
  },
  'half-close': {
    description: 'ends its side of the connection half way, without ending the body',
    outcome: 'broken-off',
    run: (call) => afterFlush(call, half(call), (socket) => socket.end()),
  },
  'short-body': {
    description: 'names a content-length and sends less',
    outcome: 'broken-off',
    run: (call) => raw(call, 100),
  },
  'long-body': {
    description: 'names a content-length and sends more',
    outcome: 'broken-off',
    run: (call) => raw(call, -40),
  },
  'broken-chunking': {
    description: 'a chunked body whose sizes are no numbers',
    outcome: 'refused',
    run: ({ response }) => {
      response.socket?.end(
        'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\nzz\r\ndata: x\r\n',
      );
    },
  },
  'not-http': {
    description: 'answers with bytes that are no HTTP',
    outcome: 'refused',
    run: ({ response }) => void response.socket?.end('\u0000\u0001SSH-2.0 not what was asked for\r\n\r\n'),
  },
};

/** A hand-written response whose content-length is off by `excess`. */
const raw = (call: Call, excess: number): void => {
  const type = call.stream ? 'text/event-stream' : 'application/json';
  const body = call.stream ? events(call).slice(0, 6).join('') : JSON.stringify(whole(call));
  const head = `HTTP/1.1 200 OK\r\ncontent-type: ${type}\r\ncontent-length: ${Buffer.byteLength(body) + excess}\r\n\r\n`;
  call.response.socket?.end(head + body);
};
