import type { Script } from '../script.ts';
import type { Call } from '../wire.ts';
import { asEvent } from '../chats/messages.ts';
import { isMessagesPath } from '../chats/messages-path.ts';
import { events, streamText, usageEvent, whole } from './good-parts.ts';

const EVERY_MS = 50;
const HEAD = 'HTTP/1.1 200 OK\r\n';

/** Sends `start`, then `again` repeatedly until the caller closes the socket. It bypasses node's own HTTP. */
const drip = ({ response }: Call, start: string, again: string): void => {
  const { socket } = response;
  if (socket === null) return;
  socket.write(start);
  const timer = setInterval(() => socket.write(again), EVERY_MS);
  socket.once('close', () => clearInterval(timer));
};

const typeOf = ({ stream }: Call): string =>
  `content-type: ${stream ? 'text/event-stream' : 'application/json'}\r\n`;
const chunk = (text: string): string => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;
const chunkedHead = (call: Call): string => `${HEAD}${typeOf(call)}transfer-encoding: chunked\r\n\r\n`;

const pingOf = (call: Call): string =>
  isMessagesPath(call.path) ? asEvent({ type: 'ping' }) : ': still thinking\n\n';

const good = (call: Call): string => (call.stream ? streamText(call) : JSON.stringify(whole(call)));

/** Upstreams that never stop sending, without any content. */
export const drips: Readonly<Record<string, Script>> = {
  'interim-forever': {
    description: 'one interim answer (103) after the other, and no final one',
    outcome: 'refused',
    hangs: true,
    run: (call) => {
      const hint = 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n';
      drip(call, hint, hint);
    },
  },
  'head-by-the-byte': {
    description: 'a head that comes a byte at a time and never ends',
    outcome: 'refused',
    hangs: true,
    run: (call) => drip(call, `${HEAD}x-slow: `, 'a'),
  },
  'chunk-line-by-the-byte': {
    description: 'a chunk whose extensions come a byte at a time',
    outcome: 'refused',
    hangs: true,
    run: (call) => drip(call, `${chunkedHead(call)}5;`, 'a'),
  },
  'pings-forever': {
    description: 'comments (Messages: pings) and no event; a whole answer of blanks',
    outcome: 'refused',
    hangs: true,
    run: (call) => {
      const again = call.stream ? chunk(pingOf(call)) : chunk(' ');
      drip(call, chunkedHead(call) + again, again);
    },
  },
  'blank-lines-forever': {
    description: 'status 200 and one empty line after the other',
    outcome: 'refused',
    hangs: true,
    run: (call) => drip(call, chunkedHead(call), chunk('\n')),
  },
  'begins-then-pings': {
    description: 'the beginning of an answer that says nothing yet, then comments or blanks',
    outcome: 'refused',
    hangs: true,
    streamOnly: true,
    run: (call) => {
      const first = (events(call)[0] ?? '').split('\n\n')[0] ?? '';
      drip(
        call,
        chunkedHead(call) + chunk(first === '' ? ': first\n\n' : `${first}\n\n`),
        chunk(pingOf(call)),
      );
    },
  },
  'pings-mid-stream': {
    description: 'half an answer, then comments (Messages: pings) and nothing else',
    outcome: 'broken-off',
    hangs: true,
    streamOnly: true,
    run: (call) => {
      const half = chunk(events(call).slice(0, 5).join(''));
      drip(call, chunkedHead(call) + half, chunk(pingOf(call)));
    },
  },
  'pings-after-finish': {
    description: 'says everything, why it ends and what it used, then comments instead of an end mark',
    outcome: 'answer',
    hangs: true,
    streamOnly: true,
    run: (call) => {
      const all = chunk(events(call).join('') + usageEvent(call));
      drip(call, chunkedHead(call) + all, chunk(pingOf(call)));
    },
  },
  'event-by-the-byte': {
    description: 'one event, or the JSON of a whole answer, a byte at a time and without an end',
    outcome: 'refused',
    hangs: true,
    run: (call) => drip(call, chunkedHead(call) + chunk(call.stream ? 'data: {"a":"' : '{"a":"'), chunk('a')),
  },
  'trailers-forever': {
    description: 'a good answer whose trailers never end',
    outcome: 'answer',
    run: (call) => drip(call, `${chunkedHead(call)}${chunk(good(call))}0\r\n`, 'x-more: 1\r\n'),
  },
};
